#!/bin/sh
# `prepareBinaryData` derives a missing media type from the first bytes only for a Buffer: sound in a WebM
# or MP4 container is video. A stream without a name is plain text, whatever it holds.
# Seen: sound alone in WebM is video/webm, in MP4 video/mp4, and in both cases text/plain as a stream.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { Readable } = require('node:stream');
const { observe, run } = require('./engine.cjs');

/** An element of a Matroska file, or a box of an MP4 file. */
function element(id, ...parts) {
	const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
	return Buffer.concat([Buffer.from(id, 'hex'), Buffer.from([0x80 | content.length]), content]);
}
function box(type, ...parts) {
	const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
	const head = Buffer.alloc(8);
	head.writeUInt32BE(content.length + 8);
	head.write(type, 4, 'latin1');
	return Buffer.concat([head, content]);
}
// One audio track, type 2, in Opus.
const track = element('ae', element('d7', [1]), element('83', [2]), element('86', 'A_OPUS'));
const webm = Buffer.concat([
	element('1a45dfa3', element('4282', 'webm'), element('4287', [2]), element('4285', [2])),
	element('18538067', element('1654ae6b', track)),
]);
const brands = ['isom', [0, 0, 2, 0], 'isom', 'mp41'];
const handler = box('hdlr', Buffer.alloc(8), 'soun', Buffer.alloc(13));
const sound = box('moov', box('trak', box('mdia', handler)));
const mp4 = Buffer.concat([box('ftyp', ...brands), sound]);

async function getTypes() {
	const types = {};
	await run({
		type: {
			async execute() {
				const prepare = this.helpers.prepareBinaryData;
				for (const [name, file] of Object.entries({ webm, mp4 })) {
					const { mimeType } = await prepare(file);
					const { mimeType: ofStream } = await prepare(Readable.from([file]));
					types[name] = [mimeType, ofStream];
				}
				return [[]];
			},
		},
	});
	return types;
}

observe(getTypes, { webm: ['video/webm', 'text/plain'], mp4: ['video/mp4', 'text/plain'] });
EOF
