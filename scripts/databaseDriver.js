'use strict';
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { runNode } = require('./childProcess');
const { findNpm } = require('./findNpm');
const { findNode } = require('./n8nFolder');
const { createProgramError } = require('./userError');

/** n8n's SQLite driver, the only package that npm does not install ready to run. */
const DRIVER = path.join('sqlite3', 'build', 'Release', 'node_sqlite3.node');

/**
 * Adds the database driver to an n8n, unless it is there: built here, or downloaded ready-made if
 * that fails, as it does without a compiler. It is put in place only once it works.
 *
 * @param {string} modules the node_modules folder n8n is in
 * @param {AbortSignal} signal
 */
async function addDriver(modules, signal) {
	if (fs.existsSync(path.join(modules, DRIVER))) return;
	process.stdout.write("Building n8n's database driver, which takes minutes, once …\n");
	// node-gyp fails in a path with a space, a quote, "&" or "(".
	const isPlain = process.platform === 'win32' || /^[\w/.-]+$/.test(tmpdir());
	const base = fs.mkdtempSync(path.join(isPlain ? tmpdir() : '/tmp', 'avatar-studio-driver-'));
	try {
		const driver = await makeDriver(base, modules, signal);
		const target = path.join(modules, DRIVER);
		fs.cpSync(driver, `${target}.new`);
		fs.renameSync(`${target}.new`, target);
	} finally {
		fs.rmSync(base, { recursive: true, force: true });
	}
}

/**
 * Builds or downloads the driver in a folder, tries it, and returns its path.
 *
 * @param {string} base
 * @param {string} modules
 * @param {AbortSignal} signal
 */
async function makeDriver(base, modules, signal) {
	const copies = path.join(base, 'node_modules');
	const sqlite = path.join(modules, 'sqlite3');
	const addonApi = createRequire(path.join(sqlite, 'package.json')).resolve('node-addon-api');
	fs.cpSync(sqlite, path.join(copies, 'sqlite3'), { recursive: true });
	fs.cpSync(path.dirname(addonApi), path.join(copies, 'node-addon-api'), { recursive: true });

	const node = findNode(modules);
	/** @type {NodeJS.ProcessEnv} For the packages of n8n that the build and the driver use. */
	const env = { ...process.env, NODE_PATH: modules };
	const nodeFolder = path.join(path.dirname(node), '..');
	if (fs.existsSync(path.join(nodeFolder, 'include', 'node', 'node_api.h'))) {
		env.npm_config_nodedir = path.join(base, 'node');
		fs.symlinkSync(nodeFolder, env.npm_config_nodedir);
	}
	const options = { cwd: path.join(copies, 'sqlite3'), node, env, signal };
	const build = createRequire(findNpm()).resolve('node-gyp/bin/node-gyp.js');
	const download = path.join(modules, 'prebuild-install', 'bin.js');
	let printed = '';
	for (const args of [
		[build, 'rebuild', '--jobs=max'],
		[download, '--runtime', 'napi'],
	]) {
		const made = await runNode(args, options);
		const tried = await runNode(['--eval', 'require(".")'], options);
		if (made.code === 0 && tried.code === 0) return path.join(copies, DRIVER);
		printed += made.output;
	}
	throw createProgramError("n8n's database driver could not be built or downloaded", printed, HINT);
}

const HINT = [
	'Install what it is built with, then start again:',
	'  Debian, Ubuntu   sudo apt-get install python3 make g++',
	'  Fedora           sudo dnf install python3 make gcc-c++',
	'  macOS            xcode-select --install',
].join('\n');

module.exports = { addDriver };
