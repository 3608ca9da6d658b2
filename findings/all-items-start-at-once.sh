#!/bin/sh
# n8n's routing engine sends the requests of all items at once, and has no limit.
# Seen: 200 items are 200 requests in flight.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run, serve } = require('./engine.cjs');

async function countInFlight() {
	let open;
	const allArrived = new Promise((resolve) => {
		open = resolve;
	});
	// None is answered before the last one is there. If that never comes, the finding fails by its timeout.
	const { url } = await serve(async (request, number) => {
		if (number === 200) open(number);
		await allArrived;
		return {};
	});
	setTimeout(() => open('fewer'), 30_000).unref();
	const routing = { request: { method: 'GET', url: '/' } };
	const field = { displayName: 'Field', name: 'field', type: 'string', default: '', routing };
	await run({
		type: { description: { requestDefaults: { baseURL: url }, properties: [field] } },
		items: Array.from({ length: 200 }, () => ({ json: {} })),
	});
	return await allArrived;
}

observe(countInFlight, 200);
EOF
