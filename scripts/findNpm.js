'use strict';
const { existsSync, realpathSync } = require('node:fs');
const path = require('node:path');

const { UserError } = require('./userError');

/**
 * Finds npm's own script. Running it with Node needs no shell (npm.cmd on Windows would) and
 * allows another Node than this one.
 *
 * @returns {string}
 */
function findNpm() {
	const { npm_execpath = '', PATH = '' } = process.env;
	const inFolders = [path.dirname(process.execPath), ...PATH.split(path.delimiter)].flatMap(
		(folder) => [path.join(folder, 'npm'), path.join(folder, 'node_modules/npm/bin/npm-cli.js')],
	);
	const found = [npm_execpath, ...inFolders]
		.filter((file) => existsSync(file))
		.map((file) => realpathSync(file))
		.find((file) => path.basename(file) === 'npm-cli.js');
	if (found) return found;
	throw new UserError(
		'npm was not found on this machine.',
		'It comes with Node.js: install Node.js again, then run "npm start".',
	);
}

module.exports = { findNpm };
