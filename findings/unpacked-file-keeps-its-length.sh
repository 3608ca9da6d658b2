#!/bin/sh
# n8n's HTTP helper unpacks what a host has compressed and drops `content-encoding`, but the headers still
# state the length of the compressed body.
# Seen: 5,000 bytes come with the content-length of the 41 or so that were sent, and no content-encoding.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { gzipSync } = require('node:zlib');
const { observe, run, serve } = require('./engine.cjs');

const body = gzipSync('a'.repeat(5000));

async function download() {
	const { url } = await serve(() => ({
		headers: {
			'content-type': 'video/mp4',
			'content-encoding': 'gzip',
			'content-length': body.length,
		},
		body,
	}));
	const seen = { received: 0 };
	await run({
		type: {
			async execute() {
				const options = { url, encoding: 'stream', returnFullResponse: true };
				const response = await this.helpers.httpRequest(options);
				seen.encoding = response.headers['content-encoding'];
				seen.hasLengthAsSent = response.headers['content-length'] === String(body.length);
				for await (const chunk of response.body) seen.received += chunk.length;
				return [[]];
			},
		},
	});
	return seen;
}

observe(download, { received: 5000, encoding: undefined, hasLengthAsSent: true });
EOF
