'use strict';
const fs = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { runNode } = require('./childProcess');
const { findNode, findNpm } = require('./n8nFolder');
const { createProgramError } = require('./userError');

/** n8n's SQLite driver, the only package that npm does not install ready to run. */
const DRIVER = path.join('sqlite3', 'build', 'Release', 'node_sqlite3.node');

const HINT =
	'Install python3, make and g++ (on macOS: xcode-select --install), with which it is built, then start again.';

/**
 * Adds the database driver to an n8n, unless it is there: npm downloads it, or else builds it.
 *
 * @param {string} modules a node_modules folder, perhaps of an n8n
 * @param {AbortSignal} signal
 */
async function addDriver(modules, signal) {
	if (!fs.existsSync(path.join(modules, 'sqlite3'))) return;
	if (fs.existsSync(path.join(modules, DRIVER))) return;
	process.stdout.write("Building n8n's database driver, which takes minutes, once …\n");
	// In a folder of its own: node-gyp fails in a path with a space, a quote, "&" or "(".
	const base = fs.mkdtempSync(path.join(tmpdir(), 'avatar-studio-driver-'));
	try {
		for (const name of ['sqlite3', 'node-addon-api']) {
			const copy = path.join(base, 'node_modules', name);
			fs.cpSync(path.join(modules, name), copy, { recursive: true, dereference: true });
		}
		const nodeFolder = path.join(base, 'node');
		fs.symlinkSync(path.join(findNode(modules), '..', '..'), nodeFolder);
		/** @type {NodeJS.ProcessEnv} For the packages of n8n that download and build it, and for cc. */
		const env = { ...process.env, NODE_PATH: modules, TMPDIR: base };
		env.PATH = [path.join(modules, '.bin'), process.env.PATH].join(path.delimiter);
		// The headers, if they are there: otherwise node-gyp downloads them.
		if (fs.existsSync(path.join(nodeFolder, 'include', 'node')))
			env.npm_config_nodedir = nodeFolder;
		const args = [findNpm(), 'rebuild', 'sqlite3', '--no-ignore-scripts'];
		const { code, output } = await runNode(args, { cwd: base, env, signal });
		const title = "n8n's database driver could not be built";
		if (code !== 0) throw createProgramError(title, output, HINT);
		fs.cpSync(path.join(base, 'node_modules', DRIVER), path.join(modules, DRIVER));
	} finally {
		fs.rmSync(base, { recursive: true, force: true });
	}
}

module.exports = { addDriver };
