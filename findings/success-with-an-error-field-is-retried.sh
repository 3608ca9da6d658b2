#!/bin/sh
# Retry On Fail repeats a request that succeeded if its response has an `error` field that holds anything
# but null and false, an empty text included.
# Seen: a POST that returns `{ "id": 1, "error": "" }` with a 200 is sent three times.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run, serve } = require('./engine.cjs');

async function countRequests(error) {
	const { url, requests } = await serve(() => ({ body: JSON.stringify({ id: 1, error }) }));
	const routing = { request: { method: 'POST', url: '/' } };
	const field = { displayName: 'Field', name: 'field', type: 'string', default: '', routing };
	await run({
		type: { description: { requestDefaults: { baseURL: url }, properties: [field] } },
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 },
	});
	return requests.length;
}

observe(
	async () => ({
		text: await countRequests(''),
		number: await countRequests(0),
		list: await countRequests([]),
		null: await countRequests(null),
	}),
	{ text: 3, number: 3, list: 3, null: 1 },
);
EOF
