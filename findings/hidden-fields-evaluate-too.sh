#!/bin/sh
# n8n's routing engine evaluates an expression again for each property of the same name, shown or not.
# Seen: the same expression is evaluated as often again with each further property, none of which is shown.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run, workflow } = require('./engine.cjs');

const { prototype } = workflow.Expression;
const evaluate = prototype.resolveSimpleParameterValue;
let evaluations = 0;
prototype.resolveSimpleParameterValue = function (value, ...rest) {
	if (value === '={{ $json.text }}') evaluations++;
	return evaluate.call(this, value, ...rest);
};

async function countEvaluations(hidden) {
	evaluations = 0;
	const routing = { request: { method: 'GET', url: '/' }, send: { paginate: true } };
	const mode = { displayName: 'Mode', name: 'mode', type: 'string', default: 'a', routing };
	const text = { displayName: 'Text', name: 'text', type: 'string', default: '' };
	const displayOptions = { show: { mode: ['b'] } };
	const others = Array.from({ length: hidden }, () => ({ ...text, displayOptions }));
	const requestOperations = { pagination: async () => [] };
	const requestDefaults = { baseURL: 'https://api.example.com' };
	await run({
		type: {
			description: { requestDefaults, requestOperations, properties: [mode, text, ...others] },
		},
		parameters: { text: '={{ $json.text }}' },
	});
	return evaluations;
}

observe(
	async () => [await countEvaluations(0), await countEvaluations(1), await countEvaluations(3)],
	[2, 4, 8],
);
EOF
