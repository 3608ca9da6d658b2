#!/bin/sh
# n8n demands a required field that is not shown if what decides about it is an expression.
# Seen: Custom Type, shown for the type "custom", is missing as soon as Type is any expression.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-workflow@2.41.0
node - <<'EOF'
const assert = require('node:assert/strict');
const { NodeHelpers } = require('n8n-workflow');

const options = [
	{ name: 'Image', value: 'image' },
	{ name: 'Custom', value: 'custom' },
];
const displayOptions = { show: { type: ['custom'] } };
const properties = [
	{ displayName: 'Type', name: 'type', type: 'options', default: 'image', options },
	{ displayName: 'Custom Type', name: 'customType', type: 'string', default: '', required: true, displayOptions },
];
function getIssues(type) {
	const parameters = { type, customType: '' };
	const node = { id: '1', name: 'Node', type: 'node', typeVersion: 1, position: [0, 0], parameters };
	return NodeHelpers.getNodeParametersIssues(properties, node, { properties })?.parameters;
}

const seen = { image: getIssues('image'), expression: getIssues('={{ "image" }}') };
console.log(seen);
assert.deepStrictEqual(seen, {
	image: undefined,
	expression: { customType: ['Parameter "Custom Type" is required.'] },
});
EOF
