'use strict';
const { spawnSync } = require('node:child_process');
const { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { findNode, findNpm, n8nFolder, n8nVersions, projectRoot } = require('./n8nFolder');
const { printError, UserError } = require('./userError');

// node scripts/install.js [--n8n | --every-n8n | FOLDER]: installs the project's packages, and those
// of an n8n or a folder, unless they are there.

/** Settings of users, and NODE_ENV=production, that would install something else are overridden. */
const NPM_CI = [
	...['ci', '--ignore-scripts', '--no-audit', '--loglevel=error'],
	...['--include=dev', '--include=optional', '--include=peer'],
	...['--no-engine-strict', '--no-legacy-peer-deps'],
];
/** n8n's SQLite driver, the only package that npm does not install ready to run. */
const DRIVER = path.join('sqlite3', 'build', 'Release', 'node_sqlite3.node');

/** @param {string} folder with a lock file */
function install(folder) {
	const modules = path.join(folder, 'node_modules');
	if (!isInstalled(folder)) {
		const name = path.relative(projectRoot, folder) || 'the project';
		process.stdout.write(`Installing the packages of ${name}, which takes minutes, once …\n`);
		runNpm(NPM_CI, folder, 'Start again when npm can install them.');
	}
	if (existsSync(path.join(modules, 'sqlite3')) && !existsSync(path.join(modules, DRIVER))) {
		process.stdout.write("Building n8n's database driver, which takes minutes, once …\n");
		buildDriver(modules);
	}
}

/**
 * Whether npm has installed what package-lock.json lists: it writes down what it did last of all.
 * (npm itself takes seconds to find out, and does not repair what it was interrupted in.)
 *
 * @param {string} folder
 */
function isInstalled(folder) {
	const written = path.join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(written)) return false;
	const wanted = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
	const present = JSON.parse(readFileSync(written, 'utf8')).packages;
	return Object.keys(wanted).every((location) => {
		if (location in present) return present[location].version === wanted[location].version;
		return wanted[location].optional || location === '';
	});
}

/**
 * Npm downloads the driver, or else builds it: in a folder of its own, because node-gyp fails in a
 * path with a space, a quote, "&" or "(".
 *
 * @param {string} modules the node_modules folder of an n8n
 */
function buildDriver(modules) {
	const base = mkdtempSync(path.join(tmpdir(), 'avatar-studio-driver-'));
	const node = path.join(base, 'node');
	try {
		for (const name of ['sqlite3', 'node-addon-api']) {
			const copy = path.join(base, 'node_modules', name);
			cpSync(path.join(modules, name), copy, { recursive: true, dereference: true });
		}
		symlinkSync(path.join(findNode(modules), '..', '..'), node);
		const tools = [path.join(modules, '.bin'), process.env.PATH].join(path.delimiter);
		/** @type {NodeJS.ProcessEnv} */
		const env = { ...process.env, NODE_PATH: modules, PATH: tools, TMPDIR: base };
		// The headers, if they are there: otherwise node-gyp downloads them.
		if (existsSync(path.join(node, 'include', 'node'))) env.npm_config_nodedir = node;
		const hint = 'Install python3, make and g++ (macOS: xcode-select --install), then start again.';
		runNpm(['rebuild', 'sqlite3', '--no-ignore-scripts'], base, hint, env);
		cpSync(path.join(base, 'node_modules', DRIVER), path.join(modules, DRIVER));
	} finally {
		rmSync(base, { recursive: true, force: true });
	}
}

/**
 * @param {string[]} args
 * @param {string} cwd
 * @param {string} hint what to do if npm fails; why it does it says itself
 */
function runNpm(args, cwd, hint, env = process.env) {
	const command = [findNpm(), ...args];
	const { status } = spawnSync(process.execPath, command, { cwd, env, stdio: 'inherit' });
	if (status !== 0) throw new UserError(`npm ${args[0]} failed in ${cwd}.`, hint);
}

try {
	const [what] = process.argv.slice(2);
	install(projectRoot);
	if (what === '--n8n') install(n8nFolder());
	else if (what === '--every-n8n') for (const version of n8nVersions()) install(n8nFolder(version));
	else if (what) install(path.join(projectRoot, what));
} catch (error) {
	printError(error);
	process.exitCode = 1;
}
