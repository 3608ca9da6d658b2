import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { Explained, printError } from './explained.cjs';
import { takeLock } from './lock.mjs';
import { nodeForN8n } from './nodeForN8n.cjs';
import { runNpm } from './npm.mjs';
import { abortOnSignals } from './signals.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const n8nFolder = fileURLToPath(new URL('n8n', import.meta.url));
const N8N_BYTES = 4e9;

/**
 * Installs the project's own dependencies when they are missing or not those of the lock file.
 *
 * @param {AbortSignal} signal
 */
export async function installProject(signal) {
	await installPackages({ folder: root, title: 'Installing the project', signal });
}

/**
 * Installs the real n8n of demo/n8n, with the one package in it that has to be built.
 *
 * @param {{ signal: AbortSignal, prebuiltSqlite?: boolean }} options
 */
export async function installN8n({ signal, prebuiltSqlite = false }) {
	if (isComplete(n8nFolder)) return;
	const prebuilt = prebuiltSqlite || process.platform === 'win32';
	if (!prebuilt) checkCompiler();
	if (!packagesFit(n8nFolder)) {
		checkDisk();
		process.stdout.write('n8n is not installed yet: about 4 minutes and 3 GB, once.\n');
	}
	await installPackages({ folder: n8nFolder, title: 'Installing n8n', signal });
	await underLock(n8nFolder, signal, async () => {
		if (!isComplete(n8nFolder)) await buildSqlite({ signal, prebuilt });
	});
}

/**
 * Whether the packages of a folder are those of its lock file. npm writes its own list last, so
 * an install that was interrupted has none, or that of the time before.
 *
 * @param {string} folder
 */
export function packagesFit(folder) {
	if (readMarker(folder)?.lock === lockHash(folder)) return true;
	try {
		const wanted = packagesOf(path.join(folder, 'package-lock.json'));
		const present = packagesOf(path.join(folder, 'node_modules', '.package-lock.json'));
		return Object.entries(wanted).every(
			([where, { version, optional }]) =>
				where === '' || optional || (where in present && present[where].version === version),
		);
	} catch (error) {
		if (error.code === 'ENOENT' || error instanceof SyntaxError) return false;
		throw error;
	}
}

/**
 * Installs the packages of a folder's lock file, unless they are there. Another install of the
 * same folder is waited for.
 *
 * @param {{ folder: string, title: string, signal: AbortSignal }} options
 */
export async function installPackages({ folder, title, signal }) {
	if (packagesFit(folder)) return;
	await underLock(folder, signal, async () => {
		if (packagesFit(folder)) return;
		const wanted = Object.entries(packagesOf(path.join(folder, 'package-lock.json')))
			.filter(([where, { optional }]) => where !== '' && !optional)
			.map(([where]) => path.join(folder, where, 'package.json'));
		await runNpm({
			args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
			cwd: folder,
			title,
			progress: () => {
				const there = wanted.filter((file) => existsSync(file)).length;
				return there === 0 ? 'looking up' : `${there} of ${wanted.length} packages`;
			},
			signal,
		});
		writeMarker(folder, {});
	});
}

async function buildSqlite({ signal, prebuilt }) {
	const node = nodeForN8n(path.join(n8nFolder, 'node_modules'));
	const headers = path.join(path.dirname(node), '..');
	const hasHeaders = existsSync(path.join(headers, 'include', 'node', 'node_api.h'));
	await runNpm({
		args: ['rebuild', 'sqlite3', '--ignore-scripts=false'],
		cwd: n8nFolder,
		title: prebuilt ? 'Fetching the database driver' : 'Building the database driver',
		node,
		env: {
			PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`,
			JOBS: 'max',
			...(prebuilt ? {} : { npm_config_build_from_source: 'true' }),
			...(hasHeaders ? { npm_config_nodedir: headers } : {}),
		},
		signal,
	});
	const loads = spawnSync(node, ['-e', "require('sqlite3')"], { cwd: n8nFolder, encoding: 'utf8' });
	if (loads.status !== 0) {
		throw new Explained(
			`The database driver of n8n does not load:\n\n${loads.stderr}`,
			`Remove the folder ${path.join(n8nFolder, 'node_modules')} and start again.`,
		);
	}
	writeMarker(n8nFolder, { sqlite: `${process.platform}-${process.arch}` });
}

function checkCompiler() {
	const missing = [
		['python3', [process.env.PYTHON, 'python3', 'python']],
		['make', ['make', 'gmake']],
		['g++', [process.env.CXX, 'g++', 'clang++', 'c++']],
	].filter(([, commands]) => !commands.some((command) => command && runs(command)));
	if (missing.length === 0) return;
	throw new Explained(
		`n8n's database driver has to be built once, and this machine lacks: ${missing
			.map(([name]) => name)
			.join(', ')}.`,
		[
			'Install it, then start again:',
			'  Debian, Ubuntu   sudo apt-get install python3 make g++',
			'  Fedora           sudo dnf install python3 make gcc-c++',
			'  macOS            xcode-select --install',
			'Or download the driver ready-made: npm start -- --prebuilt-sqlite',
		].join('\n'),
	);
}

function runs(command) {
	return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
}

function checkDisk() {
	const { bavail, bsize } = statfsSync(n8nFolder);
	if (bavail * bsize >= N8N_BYTES) return;
	throw new Explained(
		`n8n takes about 3 GB (4 GB while it is installed); ${(bavail * bsize * 1e-9).toFixed(1)} GB are free.`,
		'Make room on the disk of the project folder, then start again.',
	);
}

async function underLock(folder, signal, work) {
	const file = path.join(folder, '.installing');
	let told = false;
	for (;;) {
		const lock = takeLock(file);
		if ('release' in lock) {
			try {
				return await work();
			} finally {
				lock.release();
			}
		}
		if (!told) {
			process.stdout.write(`Waiting for the install that process ${lock.holder.pid} is doing …\n`);
			told = true;
		}
		await sleep(500, undefined, { signal });
	}
}

const markerFile = (folder) => path.join(folder, 'node_modules', '.installed.json');

function isComplete(folder) {
	const marker = readMarker(folder);
	return (
		marker?.lock === lockHash(folder) && marker.sqlite === `${process.platform}-${process.arch}`
	);
}

function readMarker(folder) {
	try {
		return JSON.parse(readFileSync(markerFile(folder), 'utf8'));
	} catch {
		return undefined;
	}
}

function writeMarker(folder, more) {
	writeFileSync(markerFile(folder), JSON.stringify({ lock: lockHash(folder), ...more }));
}

function lockHash(folder) {
	const text = readFileSync(path.join(folder, 'package-lock.json'));
	return createHash('sha256').update(text).digest('hex');
}

function packagesOf(file) {
	return JSON.parse(readFileSync(file, 'utf8')).packages;
}

const called = process.argv[1] && realpathSync(process.argv[1]);
if (called === fileURLToPath(import.meta.url)) {
	const signal = abortOnSignals();
	try {
		await installProject(signal);
		if (process.argv.includes('--with-n8n')) {
			await installN8n({ signal, prebuiltSqlite: process.argv.includes('--prebuilt-sqlite') });
		}
	} catch (error) {
		process.exitCode = 1;
		if (signal.aborted) {
			process.stderr.write('\nInterrupted. Start again to go on.\n');
		} else {
			printError(error);
		}
	}
}
