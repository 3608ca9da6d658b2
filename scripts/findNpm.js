'use strict';
const { existsSync, realpathSync } = require('node:fs');
const path = require('node:path');

const { UserError } = require('./userError');

/**
 * Finds npm's own script: that of the npm which runs this, or the one that came with Node. Running
 * it with Node needs no shell, as npm.cmd on Windows would.
 */
function findNpm() {
	const besideNode = ['npm', 'node_modules/npm/bin/npm-cli.js'].map((file) =>
		path.join(path.dirname(process.execPath), file),
	);
	const found = [process.env.npm_execpath ?? '', ...besideNode]
		.filter((file) => existsSync(file))
		.map((file) => realpathSync(file))
		.find((file) => path.basename(file) === 'npm-cli.js');
	if (found) return found;
	throw new UserError('npm was not found beside Node.js.', 'Start this with npm: "npm start".');
}

module.exports = { findNpm };
