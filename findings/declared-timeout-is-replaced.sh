#!/bin/sh
# n8n's routing engine replaces a timeout in `requestDefaults` by five minutes, or by the user's option.
# Seen: 1000 is declared, the request has 300000.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run } = require('./engine.cjs');

async function getTimeout() {
	let timeout;
	async function pagination(requestData) {
		timeout = requestData.options.timeout;
		return [];
	}
	const routing = { request: { method: 'GET', url: '/' }, send: { paginate: true } };
	const field = { displayName: 'Field', name: 'field', type: 'string', default: '', routing };
	const requestDefaults = { baseURL: 'https://api.example.com', timeout: 1000 };
	await run({
		type: { description: { requestDefaults, requestOperations: { pagination }, properties: [field] } },
	});
	return timeout;
}

observe(getTimeout, 300_000);
EOF
