#!/bin/sh
# A declarative node's output items are linked to its input items only if there are as many of the one as
# of the other, and then by their order alone: a row of one input item is linked to another input item.
# Seen: two inputs that return two rows each have no links; if the first returns two rows and the second
# none, the second row is linked to the second input.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run, serve } = require('./engine.cjs');

async function getLinks(rowsOfSecond) {
	const rows = { '/first': '[{"of":"first"},{"of":"first"}]', '/second': rowsOfSecond };
	const { url } = await serve((request) => ({ body: rows[request.url] }));
	const routing = { request: { method: 'GET', url: '={{ $value }}' } };
	const path = { displayName: 'Path', name: 'path', type: 'string', default: '', routing };
	const { items } = await run({
		type: { description: { requestDefaults: { baseURL: url }, properties: [path] } },
		parameters: { path: '=/{{ $json.name }}' },
		items: [{ json: { name: 'first' } }, { json: { name: 'second' } }],
	});
	return items.map(({ json, pairedItem }) => `${json.of}: ${JSON.stringify(pairedItem)}`);
}

observe(
	async () => ({
		twoEach: await getLinks('[{"of":"second"},{"of":"second"}]'),
		twoAndNone: await getLinks('[]'),
	}),
	{
		twoEach: ['first: undefined', 'first: undefined', 'second: undefined', 'second: undefined'],
		twoAndNone: ['first: {"item":0}', 'first: {"item":1}'],
	},
);
EOF
