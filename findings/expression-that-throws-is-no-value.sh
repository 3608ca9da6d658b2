#!/bin/sh
# An expression that throws is no error in n8n: the field has no value and the request is sent without it.
# Only a reference to a node that does not exist is an error.
# Seen: a TypeError, JSON.parse and throw send "/videos"; with a value it is "/videos?name=Ada".
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run, serve } = require('./engine.cjs');

async function send(name) {
	const { url, requests } = await serve();
	const routing = {
		request: { method: 'GET', url: '/videos' },
		send: { type: 'query', property: 'name' },
	};
	const field = { displayName: 'Name', name: 'name', type: 'string', default: '', routing };
	const { error } = await run({
		type: { description: { requestDefaults: { baseURL: url }, properties: [field] } },
		parameters: { name },
		items: [{ json: { name: 'Ada' } }],
	});
	return requests[0]?.url ?? error.message;
}

observe(
	async () => ({
		value: await send('={{ $json.name }}'),
		typeError: await send('={{ $json.person.name }}'),
		parseError: await send('={{ JSON.parse("Ada") }}'),
		thrown: await send('={{ (() => { throw new Error("no name") })() }}'),
		unknownNode: await send('={{ $("Nobody").item.json.name }}'),
	}),
	{
		value: '/videos?name=Ada',
		typeError: '/videos',
		parseError: '/videos',
		thrown: '/videos',
		unknownNode: "Referenced node doesn't exist",
	},
);
EOF
