'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

const { DRIVER, addDriver, requireCompiler } = require('./databaseDriver');
const { findNpm } = require('./findNpm');
const { takeLock } = require('./lock');
const { DEFAULT_VERSION, n8nFolder, projectRoot } = require('./n8nFolder');
const { StalledError, runStep } = require('./runStep');
const { FULL_DISK, UserError } = require('./userError');

const N8N_BYTES = 4e9;
const MAX_ATTEMPTS = 2;
const LOCK_POLL_MS = 500;
const STAGING = '.installing-';

/** Every setting of the user's that could make "npm ci" install something else is overridden. */
const NPM_CI = [
	'ci',
	'--include=dev',
	'--include=optional',
	'--include=peer',
	'--install-strategy=hoisted',
	'--package-lock',
	'--bin-links',
	'--ignore-scripts',
	'--no-dry-run',
	'--no-engine-strict',
	'--no-global',
	'--no-legacy-peer-deps',
	'--no-strict-peer-deps',
	'--no-audit',
	'--no-fund',
	// One line per response of the registry, so that runStep notices when they stop.
	'--loglevel=http',
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
 * @param {{ version?: string, prebuiltSqlite?: boolean, signal: AbortSignal }} options
 */
async function installN8n({ version = DEFAULT_VERSION, prebuiltSqlite = false, signal }) {
	const folder = n8nFolder(version);
	const isPrebuilt = prebuiltSqlite || process.platform === 'win32';
	await install({
		folder,
		title: `Installing n8n ${version}`,
		signal,
		needs: [DRIVER],
		before: () => {
			if (!isPrebuilt) requireCompiler();
			requireDiskSpace(folder);
			process.stdout.write(
				`n8n ${version} is not installed yet: about 4 minutes and 3 GB, once.\n`,
			);
		},
		after: (modules) => addDriver(modules, { isPrebuilt, signal }),
	});
}

/**
 * Installs the packages of a folder's lock file, unless they are there. They become its
 * node_modules only once they are complete, so an interrupted install leaves nothing half done.
 *
 * @param {object} options
 * @param {string} options.folder with a package.json and a package-lock.json
 * @param {string} options.title
 * @param {AbortSignal} options.signal
 * @param {string[]} [options.needs] files below node_modules that must also exist
 * @param {() => void} [options.before] runs before anything is downloaded
 * @param {(modules: string) => Promise<void>} [options.after] completes the download
 * @param {import('./runStep').Patience} [options.patience] with the download
 */
async function install({ folder, title, signal, needs = [], before, after, patience }) {
	if (isInstalled(folder, needs)) return;
	const lock = await waitForLock(path.join(folder, 'package-lock.json'), signal);
	try {
		if (isInstalled(folder, needs)) return;
		before?.();
		removeStaging(folder);
		// A different one each time: the npm of a killed install may still be ending.
		const staging = fs.mkdtempSync(path.join(folder, STAGING));
		await download({ folder, staging, title, patience, signal });
		await after?.(path.join(staging, 'node_modules'));
		if (!isInstalled(staging, needs)) {
			throw new UserError(
				`${title}: npm has left packages out.`,
				'Run "npm cache verify", then start again.',
			);
		}
		replaceModules(folder, staging);
	} finally {
		removeStaging(folder);
		lock.release();
	}
}

/**
 * Whether node_modules holds what package-lock.json lists. npm writes its own list last, so an
 * interrupted "npm ci" has none. An optional package may be missing: it is for another platform.
 *
 * @param {string} folder
 * @param {string[]} needs
 */
function isInstalled(folder, needs) {
	const modules = path.join(folder, 'node_modules');
	const { '': project, ...wanted } = readPackages(path.join(folder, 'package-lock.json'));
	const present = readPackages(path.join(modules, '.package-lock.json'));
	return (
		project !== undefined &&
		Object.entries(wanted).every(([location, { version, optional }]) =>
			location in present
				? present[location]?.version === version && isPackage(folder, location)
				: optional,
		) &&
		needs.every((file) => fs.existsSync(path.join(modules, file)))
	);
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>} by location, the project's
 *   own is ''; empty if the file is missing or broken
 */
function readPackages(file) {
	try {
		return JSON.parse(fs.readFileSync(file, 'utf8')).packages;
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
 * Downloads the packages of a folder into another one; if it stalls, tries again once.
 *
 * @param {object} options
 * @param {string} options.folder
 * @param {string} options.staging
 * @param {string} options.title
 * @param {import('./runStep').Patience} [options.patience]
 * @param {AbortSignal} options.signal
 */
async function download({ folder, staging, ...step }) {
	const packages = Object.entries(readPackages(path.join(folder, 'package-lock.json')));
	const wanted = packages.filter(([location, { optional }]) => location !== '' && !optional);
	for (let attempt = 1; ; attempt++) {
		fs.rmSync(path.join(staging, 'node_modules'), { recursive: true, force: true });
		for (const file of ['package.json', 'package-lock.json']) {
			fs.copyFileSync(path.join(folder, file), path.join(staging, file));
		}
		try {
			return await runStep({
				...step,
				args: [findNpm(), ...NPM_CI],
				cwd: staging,
				env: { ...process.env, NODE_ENV: '' },
				progress: () => {
					const done = wanted.filter(([location]) => isPackage(staging, location)).length;
					return done === 0 ? 'looking up' : `${done} of ${wanted.length} packages`;
				},
			});
		} catch (error) {
			if (!(error instanceof StalledError) || attempt === MAX_ATTEMPTS) throw error;
			process.stdout.write('  The download has stalled; starting it once more.\n');
		}
	}
}

/**
 * @param {string} folder
 * @param {string} staging
 */
function replaceModules(folder, staging) {
	const modules = path.join(folder, 'node_modules');
	try {
		if (fs.existsSync(modules)) fs.renameSync(modules, path.join(staging, 'replaced'));
		fs.renameSync(path.join(staging, 'node_modules'), modules);
	} catch (error) {
		throw new UserError(
			`${modules} could not be replaced: ${/** @type {Error} */ (error).message}`,
			'Close the programs that use it, or remove it by hand, then start again.',
		);
	}
}

/**
 * @param {string} file
 * @param {AbortSignal} signal
 */
async function waitForLock(file, signal) {
	for (let isFirst = true; ; isFirst = false) {
		const lock = await takeLock(file, `process ${process.pid}`);
		if ('release' in lock) return lock;
		if (isFirst) process.stdout.write(`Waiting for another install (${lock.heldBy}) …\n`);
		await sleep(LOCK_POLL_MS, undefined, { signal });
	}
}

/** @param {string} folder */
function requireDiskSpace(folder) {
	const { bavail, bsize } = fs.statfsSync(folder);
	if (bavail * bsize >= N8N_BYTES) return;
	throw new UserError('The disk of the project folder has no room for n8n.', FULL_DISK[2]);
}

/** @param {string} folder */
function removeStaging(folder) {
	for (const name of fs.readdirSync(folder).filter((entry) => entry.startsWith(STAGING))) {
		fs.rmSync(path.join(folder, name), { recursive: true, force: true, maxRetries: 5 });
	}
}

module.exports = { install, installN8n, installProject };
