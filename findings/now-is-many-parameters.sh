#!/bin/sh
# An expression that is a date, such as {{ $now }}, stays an object in a declarative node: in a query, n8n
# sends its inner fields, each as a parameter of its own, and none of them is the date as a text.
# Seen: `name={{ $now }}` is 22 parameters, `name[ts]` the first.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run, serve } = require('./engine.cjs');

async function send() {
	const { url, requests } = await serve();
	const routing = {
		request: { method: 'GET', url: '/' },
		send: { type: 'query', property: 'name' },
	};
	const field = { displayName: 'Name', name: 'name', type: 'string', default: '', routing };
	await run({
		type: { description: { requestDefaults: { baseURL: url }, properties: [field] } },
		parameters: { name: '={{ $now }}' },
	});
	const names = [...new URL(requests[0].url, url).searchParams.keys()];
	return { number: names.length, first: names[0], asText: names.includes('name') };
}

observe(send, { number: 22, first: 'name[ts]', asText: false });
EOF
