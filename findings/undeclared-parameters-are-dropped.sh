#!/bin/sh
# n8n drops what a workflow sets and the node's description does not declare, before the node runs: a
# parameter, an entry of a collection, a hidden field, and a collection that is a text. The node cannot
# see that it was there.
# Seen: of five parameters, `action` and one entry of `options` are left, in `getNode()` too.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run } = require('./engine.cjs');

const entry = { displayName: 'Try', name: 'try', type: 'boolean', default: false };
const displayOptions = { show: { action: ['delete'] } };
const properties = [
	{ displayName: 'Action', name: 'action', type: 'string', default: 'create' },
	{ displayName: 'Reason', name: 'reason', type: 'string', default: '', displayOptions },
	{ displayName: 'Options', name: 'options', type: 'collection', default: {}, options: [entry] },
	{ displayName: 'Filters', name: 'filters', type: 'collection', default: {}, options: [entry] },
];
async function getParameters() {
	const options = { try: true, trial: true };
	const { items } = await run({
		type: {
			description: { properties },
			async execute() {
				return [[{ json: this.getNode().parameters }]];
			},
		},
		parameters: { action: 'create', reason: 'hidden', try: true, options, filters: 'try' },
	});
	return items[0].json;
}

observe(getParameters, { action: 'create', options: { try: true }, filters: {} });
EOF
