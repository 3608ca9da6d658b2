#!/bin/sh
# On n8n 1.x, the error of a request has no `cause`: neither what a credential's `authenticate` threw nor
# the error of the network. A response that was cut short has the status of a success as its `httpCode`.
# Seen: n8n-core 1.122.48 drops the cause, 2.41.1 keeps it; `httpCode` is "200" in both.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
cat >finding.cjs <<'EOF'
const { createServer } = require('node:net');
const { isVersion1, observe, run } = require('./engine.cjs');

async function getError(baseURL, authenticate) {
	let error;
	async function pagination(requestData) {
		error = await this.makeRoutingRequest(requestData).catch((thrown) => thrown);
		return [];
	}
	const routing = { request: { method: 'GET', url: '/' }, send: { paginate: true } };
	const field = { displayName: 'Field', name: 'field', type: 'string', default: '', routing };
	const credentials = [{ name: 'api', required: true }];
	const requestOperations = { pagination };
	const requestDefaults = { baseURL };
	await run({
		type: { description: { requestDefaults, requestOperations, credentials, properties: [field] } },
		credential: { fields: {}, authenticate },
	});
	return [error.message, error.cause?.message, error.httpCode];
}

async function look() {
	const server = createServer((socket) => {
		socket.once('data', () => {
			socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":');
		});
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const cutShort = `http://127.0.0.1:${server.address().port}`;
	return {
		authenticate: await getError(cutShort, () => {
			throw new Error('The key is empty');
		}),
		cutShort: await getError(cutShort, (fields, options) => options),
	};
}

const cause = (text) => (isVersion1 ? undefined : text);
observe(look, {
	authenticate: ['The key is empty', cause('The key is empty'), null],
	cutShort: ['stream has been aborted', cause('stream has been aborted'), '200'],
});
EOF
install n8n-core@1.122.48
node finding.cjs
install n8n-core@2.41.1
node finding.cjs
