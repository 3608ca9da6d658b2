#!/bin/sh
# n8n sends a request with a credential a second time if the response is a 401, even if the credential has
# no token that it could renew.
# Seen: two requests for a 401, one for a 403.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run, serve } = require('./engine.cjs');

async function countRequests(status) {
	const { url, requests } = await serve(() => ({ status }));
	const routing = { request: { method: 'POST', url: '/' } };
	const field = { displayName: 'Field', name: 'field', type: 'string', default: '', routing };
	const credentials = [{ name: 'api', required: true }];
	await run({
		type: { description: { requestDefaults: { baseURL: url }, credentials, properties: [field] } },
		credential: { fields: {}, authenticate: (fields, options) => options },
	});
	return requests.length;
}

observe(async () => ({ 401: await countRequests(401), 403: await countRequests(403) }), {
	401: 2,
	403: 1,
});
EOF
