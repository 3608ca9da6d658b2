#!/bin/sh
# mime-types, by which n8n names files, gives the commonest types of sound and film an extension that few
# players know, or none.
# Seen: audio/mpeg is "mpga", audio/aac "adts", audio/webm "weba", video/quicktime "qt"; FLAC and Opus have none.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install mime-types@3.0.2
node - <<'EOF'
const assert = require('node:assert/strict');
const { extension } = require('mime-types');

const subtypes = ['mpeg', 'aac', 'ogg', 'webm', 'mp4', 'flac', 'opus'];
const seen = Object.fromEntries(subtypes.map((type) => [type, extension(`audio/${type}`)]));
seen.quicktime = extension('video/quicktime');
console.log(seen);
assert.deepStrictEqual(seen, {
	mpeg: 'mpga',
	aac: 'adts',
	ogg: 'oga',
	webm: 'weba',
	mp4: 'm4a',
	flac: false,
	opus: false,
	quicktime: 'qt',
});
EOF
