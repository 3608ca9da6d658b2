'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

const { addDriver } = require('./databaseDriver');
const { findNpm } = require('./findNpm');
const { takeLock } = require('./lock');
const { DEFAULT_VERSION, n8nFolder, projectRoot } = require('./n8nFolder');
const { runStep } = require('./runStep');
const { UserError } = require('./userError');

const LOCK_POLL_MS = 500;

/** What npm has installed, in its own words. It writes this file last. */
const INSTALLED = path.join('node_modules', '.package-lock.json');

/** Common settings of users that would make "npm ci" install something else are overridden. */
const NPM_CI = [
	'ci',
	'--include=dev',
	'--include=optional',
	'--include=peer',
	'--ignore-scripts',
	'--no-engine-strict',
	'--no-legacy-peer-deps',
	'--no-audit',
	'--no-fund',
	'--loglevel=error',
];

/**
 * Installs the project's own dependencies, unless they match the lock file.
 *
 * @param {AbortSignal} signal
 */
async function installProject(signal) {
	await install({ folder: projectRoot, title: 'Installing the project', signal });
}

/**
 * Installs a real n8n, unless it is already installed.
 *
 * @param {{ version?: string, signal: AbortSignal }} options
 */
async function installN8n({ version = DEFAULT_VERSION, signal }) {
	const folder = n8nFolder(version);
	if (!isInstalled(folder)) {
		process.stdout.write(`n8n ${version} is not installed yet: about 4 minutes and 3 GB, once.\n`);
	}
	await install({ folder, title: `Installing n8n ${version}`, signal });
	await addDriver(path.join(folder, 'node_modules'), signal);
}

/**
 * Installs the packages of a folder's lock file, unless they are there.
 *
 * @param {{ folder: string, title: string, signal: AbortSignal }} options
 */
async function install({ folder, title, signal }) {
	if (isInstalled(folder)) return;
	const lock = await waitForLock(folder, signal);
	try {
		// The process that held the lock may have installed them.
		if (isInstalled(folder)) return;
		// Before "npm ci" removes the packages: it may be interrupted while it does.
		fs.rmSync(path.join(folder, INSTALLED), { force: true });
		const wanted = Object.entries(readPackages(folder, 'package-lock.json'))
			.filter(([location, { optional }]) => location !== '' && !optional)
			.map(([location]) => location);
		await runStep({
			title,
			args: [findNpm(), ...NPM_CI],
			cwd: folder,
			progress: () => {
				const done = wanted.filter((location) => isPackage(folder, location)).length;
				const total = `${wanted.length} packages`;
				return done === 0 ? `looking up ${total}` : `${done} of ${total}`;
			},
			hint: 'npm says above what is wrong. Start again to go on: what was downloaded is kept.',
			signal,
		});
		if (!isInstalled(folder)) {
			throw new UserError(
				`${title}: npm has left packages out.`,
				'Look for the setting that does this with "npm config ls", then start again.',
			);
		}
	} finally {
		lock.release();
	}
}

/**
 * Whether node_modules holds what package-lock.json lists. An optional package may be missing: it
 * is for another platform.
 *
 * @param {string} folder
 */
function isInstalled(folder) {
	const present = readPackages(folder, INSTALLED);
	const { '': project, ...wanted } = readPackages(folder, 'package-lock.json');
	return (
		project !== undefined &&
		Object.entries(wanted).every(([location, { version, optional }]) =>
			location in present
				? present[location]?.version === version && isPackage(folder, location)
				: optional,
		)
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
		return JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')).packages;
	} catch {
		return {};
	}
}

/**
 * @param {string} folder
 * @param {string} location such as node_modules/name
 */
function isPackage(folder, location) {
	return fs.existsSync(path.join(folder, location, 'package.json'));
}

/**
 * @param {string} folder
 * @param {AbortSignal} signal
 */
async function waitForLock(folder, signal) {
	for (let isFirst = true; ; isFirst = false) {
		const lock = await takeLock(folder);
		if (lock) return lock;
		if (isFirst) process.stdout.write(`Waiting for another install in ${folder} …\n`);
		await sleep(LOCK_POLL_MS, undefined, { signal });
	}
}

module.exports = { install, installN8n, installProject };
