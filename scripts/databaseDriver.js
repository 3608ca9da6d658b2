'use strict';
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { findNpm } = require('./findNpm');
const { findNode, n8nFolder, n8nVersions } = require('./n8nFolder');
const { UNLIMITED, runStep } = require('./runStep');
const { UserError } = require('./userError');

/** n8n's SQLite driver, the only package that npm does not install ready to run. */
const DRIVER = path.join('sqlite3', 'build', 'Release', 'node_sqlite3.node');

/**
 * Adds the database driver to an n8n: downloaded, copied from another version of n8n, or built.
 *
 * @param {string} modules the node_modules folder n8n is in
 * @param {{ isPrebuilt: boolean, signal: AbortSignal }} options
 */
async function addDriver(modules, { isPrebuilt, signal }) {
	const node = findNode(modules);
	const other = findSameDriver(modules);
	if (isPrebuilt) {
		await runStep({
			title: 'Downloading the database driver',
			args: [path.join(modules, 'prebuild-install', 'bin.js'), '--runtime', 'napi'],
			cwd: path.join(modules, 'sqlite3'),
			node,
			signal,
		});
	} else if (other) fs.cpSync(other, path.join(modules, DRIVER));
	else await buildDriver(modules, node, signal);
	await runStep({
		title: 'Trying the database driver',
		args: ['--eval', 'require("./sqlite3")'],
		cwd: modules,
		node,
		signal,
	});
}

/**
 * Builds the driver in a temporary folder: node-gyp fails in a path with a space, a quote, "&" or
 * "(".
 *
 * @param {string} modules
 * @param {string} node path of the Node that n8n runs on
 * @param {AbortSignal} signal
 */
async function buildDriver(modules, node, signal) {
	const base = /^[\w/.-]+$/.test(tmpdir()) ? tmpdir() : '/tmp';
	const plain = fs.mkdtempSync(path.join(base, 'avatar-studio-driver-'));
	try {
		const sqlite = path.join(modules, 'sqlite3');
		const addonApi = createRequire(path.join(sqlite, 'package.json')).resolve('node-addon-api');
		const copies = path.join(plain, 'node_modules');
		fs.cpSync(sqlite, path.join(copies, 'sqlite3'), { recursive: true });
		fs.cpSync(path.dirname(addonApi), path.join(copies, 'node-addon-api'), { recursive: true });
		const nodeFolder = path.join(path.dirname(node), '..');
		const hasHeaders = fs.existsSync(path.join(nodeFolder, 'include', 'node', 'node_api.h'));
		if (hasHeaders) fs.symlinkSync(nodeFolder, path.join(plain, 'node'));
		await runStep({
			title: 'Building the database driver',
			args: [createRequire(findNpm()).resolve('node-gyp/bin/node-gyp.js'), 'rebuild', '--jobs=max'],
			cwd: path.join(copies, 'sqlite3'),
			node,
			env: {
				...process.env,
				PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
				// For tar, which the build uses to unpack the sources of SQLite.
				NODE_PATH: modules,
				...(hasHeaders ? { npm_config_nodedir: path.join(plain, 'node') } : {}),
			},
			patience: UNLIMITED,
			signal,
		});
		fs.cpSync(path.join(copies, DRIVER), path.join(modules, DRIVER));
	} finally {
		fs.rmSync(plain, { recursive: true, force: true });
	}
}

/**
 * Finds the driver of another version of n8n that uses the same one.
 *
 * @param {string} modules
 * @returns {string | undefined}
 */
function findSameDriver(modules) {
	const readManifest = (/** @type {string} */ folder) =>
		fs.readFileSync(path.join(folder, 'sqlite3', 'package.json'), 'utf8');
	const other = n8nVersions()
		.map((version) => path.join(n8nFolder(version), 'node_modules'))
		.filter((folder) => fs.existsSync(path.join(folder, DRIVER)))
		.find((folder) => readManifest(folder) === readManifest(modules));
	return other && path.join(other, DRIVER);
}

/** @throws {UserError} if this machine lacks what the driver is built with */
function requireCompiler() {
	const tools = {
		python3: [process.env.PYTHON, 'python3', 'python'],
		make: ['make', 'gmake'],
		'g++': [process.env.CXX, 'g++', 'clang++', 'c++'],
	};
	const missing = Object.entries(tools)
		.filter(([, commands]) => !commands.some((command) => command && canRun(command)))
		.map(([tool]) => tool);
	if (missing.length === 0) return;
	throw new UserError(
		`n8n's database driver has to be built once, and this machine lacks: ${missing.join(', ')}.`,
		[
			'Install it, then start again:',
			'  Debian, Ubuntu   sudo apt-get install python3 make g++',
			'  Fedora           sudo dnf install python3 make gcc-c++',
			'  macOS            xcode-select --install',
			'Or download the driver ready-made: npm start -- --prebuilt-sqlite',
		].join('\n'),
	);
}

/** @param {string} command */
function canRun(command) {
	return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}

module.exports = { DRIVER, addDriver, buildDriver, requireCompiler };
