'use strict';
require('./nodeVersion');
const { readFileSync } = require('node:fs');
const path = require('node:path');

const { runNode } = require('./childProcess');
const { addDriver } = require('./databaseDriver');
const { runEntry } = require('./entry');
const { findNpm, n8nFolder, n8nVersions, projectRoot } = require('./n8nFolder');
const { createProgramError } = require('./userError');

/** Settings of users, and NODE_ENV=production, that would install something else are overridden. */
const NPM_CI = [
	...['ci', '--ignore-scripts', '--no-audit', '--loglevel=error'],
	...['--include=dev', '--include=optional', '--include=peer'],
	...['--no-engine-strict', '--no-legacy-peer-deps'],
];

/**
 * Installs with npm what the lock files of these folders list, unless it is there.
 *
 * @param {string[]} folders
 * @param {AbortSignal} signal
 */
async function install(folders, signal) {
	for (const cwd of folders) {
		const name = path.relative(projectRoot, cwd) || 'the project';
		if (!isInstalled(cwd)) {
			process.stdout.write(`Installing the packages of ${name}, which takes minutes, once …\n`);
			const { code, output } = await runNode([findNpm(), ...NPM_CI], { cwd, signal });
			const title = `npm could not install the packages of ${name}`;
			if (code !== 0) throw createProgramError(title, output, 'Start again when it can.');
		}
		await addDriver(path.join(cwd, 'node_modules'), signal);
	}
}

/**
 * Whether npm has installed what package-lock.json lists: it writes down what it did last of all. An
 * optional package may be missing, as it is for another platform. (npm itself takes seconds to find
 * out, and does not repair a package that it was interrupted in.)
 *
 * @param {string} folder
 */
function isInstalled(folder) {
	try {
		const [wanted, present] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
			(file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')).packages,
		);
		return Object.keys(wanted).every((location) => {
			const { version, optional } = wanted[location];
			if (location in present) return present[location].version === version;
			return optional || location === '';
		});
	} catch {
		return false;
	}
}

/** @param {string} [what] `--n8n`, `--every-n8n` or a folder that a command needs as well */
function findFolders(what) {
	if (what === '--n8n') return [n8nFolder()];
	if (what === '--every-n8n') return n8nVersions().map((version) => n8nFolder(version));
	return what ? [path.join(projectRoot, what)] : [];
}

if (require.main === module) {
	void runEntry(([what], signal) => install([projectRoot, ...findFolders(what)], signal));
}

module.exports = { install };
