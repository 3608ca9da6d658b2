'use strict';
const { existsSync, realpathSync } = require('node:fs');
const path = require('node:path');

const { Explained } = require('./explained.cjs');

/**
 * Finds npm's own script. Running it with Node directly needs no shell, where npm.cmd would on
 * Windows, and lets npm run on another Node than this one.
 */
exports.npmCli = () => {
	const given = process.env.npm_execpath;
	if (given && path.basename(given) === 'npm-cli.js' && existsSync(given)) return given;
	const inPath = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
	for (const folder of [path.dirname(process.execPath), ...inPath]) {
		const candidates = [
			path.join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
			path.join(folder, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
			path.join(folder, 'npm'),
		];
		for (const candidate of candidates) {
			if (!existsSync(candidate)) continue;
			const file = realpathSync(candidate);
			if (path.basename(file) === 'npm-cli.js') return file;
		}
	}
	throw new Explained(
		'npm was not found on this machine.',
		'It comes with Node.js: install that again, then start with "npm start".',
	);
};
