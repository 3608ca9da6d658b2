#!/bin/sh
# n8n's HTTP helper sends no body, and no content type, for `{}` and `[]`.
# Seen: a POST of `{}` and of `[]` arrives empty, one of `{ "a": 1 }` with its seven bytes.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run, serve } = require('./engine.cjs');

async function send(body) {
	const { url, requests } = await serve();
	await run({
		type: {
			async execute() {
				await this.helpers.httpRequest({ method: 'POST', url, body, json: true });
				return [[]];
			},
		},
	});
	return [requests[0].headers['content-type'], requests[0].body];
}

observe(async () => ({ object: await send({}), list: await send([]), entry: await send({ a: 1 }) }), {
	object: [undefined, ''],
	list: [undefined, ''],
	entry: ['application/json', '{"a":1}'],
});
EOF
