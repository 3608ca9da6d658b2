'use strict';
const { spawn } = require('node:child_process');
const path = require('node:path');

const { killTree } = require('./killTree');
const { UserError } = require('./userError');

const TICK_MS = 1_000;
const QUIET_TICK_MS = 15_000;

/**
 * @typedef {object} Step
 * @property {string} title what is going on, as the progress line says it
 * @property {string[]} command a script for Node and its arguments
 * @property {string} cwd
 * @property {() => string} [progress] how far it is
 * @property {string} [node] the Node to run it on, if not this one
 * @property {NodeJS.ProcessEnv} [env]
 * @property {AbortSignal} signal
 */

/**
 * Runs one step of an install with a progress line.
 *
 * @param {Step} step
 * @throws {UserError} with the last lines it printed, if it does not succeed
 */
async function runStep({ title, command, cwd, progress, node, env, signal }) {
	signal.throwIfAborted();
	const started = Date.now();
	const preload = ['--require', path.join(__dirname, 'endWithParent.js')];
	const child = spawn(node ?? process.execPath, [...preload, ...command], {
		cwd,
		env: env ?? process.env,
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		detached: process.platform !== 'win32',
		windowsHide: true,
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on('data', (chunk) => (output = (output + String(chunk)).slice(-20_000)));
	}
	// At once: npm would first put back what it had moved, and nobody needs that.
	const kill = () => killTree(child, 'SIGKILL');
	signal.addEventListener('abort', kill, { once: true });
	const line = showProgress(title, started, progress);
	const result = await new Promise((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('close', (code, killedBy) => resolve(code ?? killedBy));
	});
	signal.removeEventListener('abort', kill);
	line.end(signal.aborted ? 'interrupted' : result === 0 ? 'done' : 'failed');
	signal.throwIfAborted();
	if (result !== 0) throw toUserError(title, output, result);
}

/**
 * @param {string} title
 * @param {number} started
 * @param {(() => string) | undefined} progress
 */
function showProgress(title, started, progress) {
	const terminal = process.stdout.isTTY;
	/** @param {string} [end] */
	const text = (end) => {
		const seconds = Math.round((Date.now() - started) / 1000);
		return `  ${title}: ${[end ?? progress?.(), `${seconds} s`].filter(Boolean).join(', ')}`;
	};
	/** @param {string} [end] */
	const show = (end) =>
		process.stdout.write(terminal ? `\r${text(end)}\u001b[K${end ? '\n' : ''}` : `${text(end)}\n`);
	process.stdout.write(`  ${title} …${terminal ? '' : '\n'}`);
	const timer = setInterval(() => show(), terminal ? TICK_MS : QUIET_TICK_MS);
	return {
		/** @param {string} how */
		end(how) {
			clearInterval(timer);
			show(how);
		},
	};
}

/** @type {[pattern: RegExp, message: string, hint: string][]} */
const REASONS = [
	[/ENOSPC|no space left/i, 'The disk is full.', 'Free about 4 GB, then start again.'],
	[
		/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT/,
		'The npm registry did not answer.',
		'Check the network (and "npm config get registry", or the proxy settings), then start ' +
			'again: what was downloaded is kept.',
	],
	[
		/EACCES|EPERM|EROFS/,
		'A folder cannot be written.',
		'Check that the project folder and the npm cache ("npm config get cache") belong to you, ' +
			'then start again.',
	],
	[
		/E401|E403|ENEEDAUTH/,
		'The npm registry refused to serve a package.',
		'Check "npm config get registry" and its login, then start again.',
	],
	[
		/ETARGET|E404/,
		'The npm registry lacks a package of the lock file.',
		'Check "npm config get registry": a mirror may be behind. Then start again.',
	],
	[
		/npm ci.*in sync|EUSAGE/,
		'package.json and package-lock.json do not belong together.',
		'Run "npm install" in the folder of both, or take both from git again.',
	],
	[
		/gyp ERR!|not found: make|node-gyp/,
		'The database driver of n8n could not be built.',
		'Check that python3, make and g++ work, then start again; or download it ready-made: ' +
			'npm start -- --prebuilt-sqlite',
	],
];

/**
 * @param {string} title
 * @param {string} output
 * @param {unknown} result
 */
function toUserError(title, output, result) {
	const lastLines = output.trim().split('\n').slice(-12).join('\n');
	const [, message, hint] = REASONS.find(([pattern]) => pattern.test(output)) ?? [
		undefined,
		`It ended with ${String(result)}.`,
		'Start again. If it ends like this again, the lines above say why.',
	];
	return new UserError(`${title}: ${message}\n\n${lastLines}`, hint);
}

module.exports = { runStep };
