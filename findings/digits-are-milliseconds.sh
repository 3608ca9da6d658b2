#!/bin/sh
# `createBinarySignedUrl` takes a life in digits for milliseconds if it is a text, and for seconds if it is
# a number.
# Seen: the link of '120' is dead at once; that of 120 lives for two minutes, as '2 minutes' does.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-core@2.41.1
node - <<'EOF'
const { observe, run, storeFiles } = require('./engine.cjs');

async function getLives() {
	await storeFiles();
	const lives = {};
	await run({
		type: {
			async execute() {
				const file = await this.helpers.prepareBinaryData(Buffer.from('a'), 'a.txt', 'text/plain');
				for (const life of ['120', 120, '2 minutes']) {
					const token = new URL(this.helpers.createBinarySignedUrl(file, life)).searchParams.get('token');
					const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url'));
					lives[typeof life === 'number' ? 'number' : life] = exp - iat;
				}
				return [[]];
			},
		},
	});
	return lives;
}

observe(getLives, { 120: 0, number: 120, '2 minutes': 120 });
EOF
