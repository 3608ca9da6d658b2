#!/bin/sh
# For an operation that the description does not have, n8n's routing engine sends a GET to the base URL and
# returns what is there. If the resource is an expression, it merges the routes of all resources that have
# the operation.
# Seen: an unknown operation and an unknown resource send "GET /"; the expression "cat" sends the query of
# cats to the path of dogs.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run, serve } = require('./engine.cjs');

const resource = { displayName: 'Resource', name: 'resource', type: 'options', default: 'cat' };
const createOperation = (animal) => ({
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	default: 'list',
	displayOptions: { show: { resource: [animal] } },
	options: [
		{
			name: 'List',
			value: 'list',
			routing: { request: { method: 'GET', url: `/${animal}s`, qs: { [animal]: 'any' } } },
		},
	],
});
const options = [
	{ name: 'Cat', value: 'cat' },
	{ name: 'Dog', value: 'dog' },
];
const properties = [{ ...resource, options }, createOperation('cat'), createOperation('dog')];
async function send(parameters) {
	const { url, requests } = await serve();
	await run({ type: { description: { requestDefaults: { baseURL: url }, properties } }, parameters });
	return requests.map((request) => `${request.method} ${request.url}`).join();
}

observe(
	async () => ({
		known: await send({ resource: 'cat', operation: 'list' }),
		unknownOperation: await send({ resource: 'cat', operation: 'feed' }),
		unknownResource: await send({ resource: 'cow', operation: 'list' }),
		expression: await send({ resource: '={{ "cat" }}', operation: 'list' }),
	}),
	{
		known: 'GET /cats?cat=any',
		unknownOperation: 'GET /',
		unknownResource: 'GET /',
		expression: 'GET /dogs?cat=any&dog=any',
	},
);
EOF
