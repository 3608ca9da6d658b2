#!/bin/sh
# `getExecuteData()` returns one object for all items of a run and for every try of Retry On Fail, although
# each item has a context of its own.
# Seen: two items, two tries: four contexts, one object; another run has another one.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run } = require('./engine.cjs');

const contexts = new Set();
const objects = new Set();
let calls = 0;
async function pagination() {
	calls++;
	contexts.add(this);
	objects.add(this.getExecuteData());
	if (calls <= 2) throw new Error('The first try fails');
	return [];
}
const routing = { request: { method: 'GET', url: '/' }, send: { paginate: true } };
const properties = [{ displayName: 'Field', name: 'field', type: 'string', default: '', routing }];
const requestDefaults = { baseURL: 'https://api.example.com' };

async function look() {
	const setup = {
		type: { description: { requestDefaults, requestOperations: { pagination }, properties } },
		items: [{ json: {} }, { json: {} }],
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
	};
	await run(setup);
	const seen = { calls, contexts: contexts.size, objects: objects.size };
	await run(setup);
	return { ...seen, objectsOfTwoRuns: objects.size };
}

observe(look, { calls: 4, contexts: 4, objects: 1, objectsOfTwoRuns: 2 });
EOF
