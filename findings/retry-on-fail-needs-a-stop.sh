#!/bin/sh
# Retry On Fail does nothing in a declarative node that is set to continue on errors. In one that stops, it
# sends the requests of all items again, also those that were answered.
# Seen: of two items the second gets a 500 twice: with Continue it is sent once and fails, with Stop both
# are sent three times.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run, serve } = require('./engine.cjs');

async function listRequests(onError) {
	let failures = 0;
	const { url, requests } = await serve((request) => {
		if (request.url !== '/2' || failures === 2) return {};
		failures++;
		return { status: 500 };
	});
	const routing = { request: { method: 'POST', url: '={{ $value }}' } };
	const path = { displayName: 'Path', name: 'path', type: 'string', default: '', routing };
	await run({
		type: { description: { requestDefaults: { baseURL: url }, properties: [path] } },
		parameters: { path: '=/{{ $json.number }}' },
		items: [{ json: { number: 1 } }, { json: { number: 2 } }],
		settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10, onError },
	});
	return requests.map((request) => request.url).sort();
}

observe(
	async () => ({
		continue: await listRequests('continueRegularOutput'),
		stop: await listRequests('stopWorkflow'),
	}),
	{ continue: ['/1', '/2'], stop: ['/1', '/1', '/1', '/2', '/2', '/2'] },
);
EOF
