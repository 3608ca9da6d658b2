#!/bin/sh
# A specification may allow application/*+json for a body. Prism knows such a body as application/json or
# as a type of that range, and answers 422 if the request states the range itself, as generated clients do.
# Seen: 200 for application/json and application/problem+json, 422 for application/*+json.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install @stoplight/prism-cli@5.16.0
cat >api.json <<'EOF'
{
	"openapi": "3.0.3",
	"info": { "title": "Speech", "version": "1" },
	"paths": {
		"/speech": {
			"post": {
				"requestBody": {
					"required": true,
					"content": {
						"application/json": { "schema": { "type": "object" } },
						"application/*+json": { "schema": { "type": "object" } }
					}
				},
				"responses": { "200": { "description": "Done" } }
			}
		}
	}
}
EOF
node - <<'EOF'
const assert = require('node:assert/strict');
const { getHttpOperationsFromSpec } = require('@stoplight/prism-cli/dist/operations');
const { createLogger } = require('@stoplight/prism-core');
const { createServer } = require('@stoplight/prism-http-server');

async function look() {
	const operations = await getHttpOperationsFromSpec('api.json');
	const logger = createLogger('finding', { level: 'silent' });
	const config = {
		mock: { dynamic: false },
		validateRequest: true,
		validateResponse: true,
		checkSecurity: true,
		errors: false,
		isProxy: false,
	};
	const server = createServer(operations, { components: { logger }, config, cors: false });
	const url = await server.listen(0, '127.0.0.1');
	const seen = {};
	for (const type of ['application/json', 'application/problem+json', 'application/*+json']) {
		const headers = { 'content-type': type };
		const response = await fetch(`${url}/speech`, { method: 'POST', headers, body: '{"text":"Hello"}' });
		seen[type] = response.status;
	}
	await server.close();
	return seen;
}

look().then((seen) => {
	console.log(seen);
	assert.deepStrictEqual(seen, {
		'application/json': 200,
		'application/problem+json': 200,
		'application/*+json': 422,
	});
});
EOF
