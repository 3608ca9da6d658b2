#!/bin/sh
# A response that is `null` becomes an item without `json`, and ends the execution although the node is set
# to continue on errors: n8n fails after the node, outside of what On Error covers.
# Seen: "Cannot read properties of null" ends the execution with On Error: Continue.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run, serve } = require('./engine.cjs');

async function getError(body) {
	const { url } = await serve(() => ({ body }));
	const routing = { request: { method: 'GET', url: '/' } };
	const field = { displayName: 'Field', name: 'field', type: 'string', default: '', routing };
	const { error } = await run({
		type: { description: { requestDefaults: { baseURL: url }, properties: [field] } },
		settings: { onError: 'continueRegularOutput' },
	});
	return error?.message;
}

observe(async () => ({ object: await getError('{}'), null: await getError('null') }), {
	object: undefined,
	null: "Cannot read properties of null (reading '$error')",
});
EOF
