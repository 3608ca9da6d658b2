#!/bin/sh
# On Node.js 20, URL.canParse begins to return false for a valid URL with other letters than ASCII once V8
# has optimized the call.
# Seen: true for some thousand calls with the same URL, then false; the constructor parses it.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
platform=$(node -p '`${process.platform}-${process.arch}`')
install "node-$platform@20.20.2"
"node_modules/node-$platform/bin/node" - <<'EOF'
const assert = require('node:assert/strict');

const link = 'https://münchen.example/größe.png';
const canParse = () => URL.canParse(link);
const answers = new Set(Array.from({ length: 300_000 }, canParse));
const seen = { version: process.version, answers: [...answers], host: new URL(link).host };
console.log(seen);
assert.deepStrictEqual(seen, {
	version: 'v20.20.2',
	answers: [true, false],
	host: 'xn--mnchen-3ya.example',
});
EOF
