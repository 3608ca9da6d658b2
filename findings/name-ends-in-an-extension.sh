#!/bin/sh
# `prepareBinaryData` takes whatever follows the last full stop of a file name for its extension, and does
# not ask the media type.
# Seen: an MP3 named "Dr. Meyer" has the extension " Meyer", and "Episode 1.5" has "5".
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run } = require('./engine.cjs');

async function getExtensions() {
	const extensions = {};
	await run({
		type: {
			async execute() {
				for (const name of ['Dr. Meyer', 'Episode 1.5', 'Meyer']) {
					const file = await this.helpers.prepareBinaryData(Buffer.from('ID3'), name, 'audio/mpeg');
					extensions[name] = file.fileExtension;
				}
				return [[]];
			},
		},
	});
	return extensions;
}

observe(getExtensions, { 'Dr. Meyer': ' Meyer', 'Episode 1.5': '5', Meyer: 'mpga' });
EOF
