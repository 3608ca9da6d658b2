'use strict';
const { runEntry } = require('./entry');
const { readFileSync } = require('node:fs');
const path = require('node:path');

const { runNode } = require('./childProcess');
const { addDriver } = require('./databaseDriver');
const { findNpm } = require('./findNpm');
const { DEFAULT_VERSION, n8nFolder, n8nVersions, projectRoot } = require('./n8nFolder');
const { createProgramError } = require('./userError');

/** What npm has installed, in its own words. It writes this file last. */
const INSTALLED = path.join('node_modules', '.package-lock.json');

/** Settings of users, and NODE_ENV=production, that would install something else are overridden. */
const NPM_CI = [
	'ci',
	...['--include=dev', '--include=optional', '--include=peer'],
	...['--ignore-scripts', '--no-engine-strict', '--no-legacy-peer-deps'],
	...['--no-audit', '--no-fund', '--loglevel=error'],
];

/**
 * Installs the packages of a folder's lock file with npm, unless they are there.
 *
 * @param {AbortSignal} signal
 * @param {string} [folder] the project's if not given
 */
async function install(signal, folder = '.', takes = 'about a minute') {
	const cwd = path.join(projectRoot, folder);
	const name = folder === '.' ? 'the project' : folder;
	if (isInstalled(cwd)) return;
	process.stdout.write(`Installing the packages of ${name}, which takes ${takes}, once …\n`);
	const { code, output } = await runNode([findNpm(), ...NPM_CI], { cwd, signal });
	if (code === 0) return;
	const hint = 'npm says above what is wrong. Start again to go on: what was downloaded is kept.';
	throw createProgramError(`npm could not install the packages of ${name}`, output, hint);
}

/**
 * Installs a real n8n.
 *
 * @param {AbortSignal} signal
 */
async function installN8n(signal, version = DEFAULT_VERSION) {
	const folder = n8nFolder(version);
	await install(signal, path.relative(projectRoot, folder), 'about 4 minutes and 3 GB');
	await addDriver(path.join(folder, 'node_modules'), signal);
}

/**
 * Whether node_modules holds what package-lock.json lists. An optional package may be missing: it
 * is for another platform.
 *
 * @param {string} folder
 */
function isInstalled(folder) {
	const present = readPackages(folder, INSTALLED);
	const wanted = Object.entries(readPackages(folder, 'package-lock.json'));
	return wanted.every(([location, { version, optional }]) =>
		location in present ? present[location]?.version === version : optional || location === '',
	);
}

/**
 * @param {string} folder
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>} by location, the project's
 *   own is ''; empty if the file is missing or broken
 */
function readPackages(folder, file) {
	try {
		return JSON.parse(readFileSync(path.join(folder, file), 'utf8')).packages;
	} catch {
		return {};
	}
}

/**
 * node scripts/install.js [--n8n | --every-n8n | FOLDER]: installs the project, and what else one of
 * its commands needs.
 *
 * @param {string[]} args
 * @param {AbortSignal} signal
 */
async function runInstall([what = ''], signal) {
	/** @type {Record<string, string[]>} */
	const versions = { '--n8n': [DEFAULT_VERSION], '--every-n8n': n8nVersions() };
	await install(signal);
	for (const version of versions[what] ?? []) await installN8n(signal, version);
	if (what && !(what in versions)) await install(signal, what);
}

if (require.main === module) void runEntry(runInstall);

module.exports = { install, installN8n };
