#!/bin/sh
# n8n's errors replace a message that contains a code of Node.js such as EEXIST, in any case and within a
# word.
# Seen: "The preexisting voice is locked" becomes "The file or directory already exists".
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-workflow@2.41.0
node - <<'EOF'
const assert = require('node:assert/strict');
const { NodeApiError, NodeOperationError } = require('n8n-workflow');

const node = { id: '1', name: 'Node', type: 'node', typeVersion: 1, position: [0, 0], parameters: {} };
const message = 'The preexisting voice is locked';
const seen = {
	api: new NodeApiError(node, {}, { message }).message,
	operation: new NodeOperationError(node, message).message,
};
console.log(seen);
assert.deepStrictEqual(seen, {
	api: 'The file or directory already exists',
	operation: 'The file or directory already exists',
});
EOF
