'use strict';
const { existsSync, realpathSync } = require('node:fs');
const path = require('node:path');

const { UserError } = require('./userError');

/**
 * Finds npm's own script. Running it with Node needs no shell (npm.cmd on Windows would) and lets
 * npm run on another Node than this one.
 *
 * @returns {string}
 */
function findNpm() {
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
	throw new UserError(
		'npm was not found on this machine.',
		'It comes with Node.js: install Node.js again, then run "npm start".',
	);
}

module.exports = { findNpm };
