import { spawn } from 'node:child_process';

import { Explained } from './explained.cjs';
import { killTree } from './killTree.cjs';
import { npmCli } from './npmCli.cjs';

const TICK_MS = 1_000;
const QUIET_TICK_MS = 15_000;
const PATIENCE_MS = 2_000;

/**
 * Runs npm with a progress line, and turns the usual reasons for it to fail into a way on.
 *
 * @param {object} step
 * @param {string[]} step.args
 * @param {string} step.cwd
 * @param {string} step.title what is going on, as the progress line says it
 * @param {() => string} [step.progress] how far it is
 * @param {string} [step.node] the Node that npm is to run on
 * @param {NodeJS.ProcessEnv} [step.env]
 * @param {AbortSignal} step.signal
 */
export async function runNpm({ args, cwd, title, progress, node, env, signal }) {
	signal.throwIfAborted();
	const started = Date.now();
	const child = spawn(node ?? process.execPath, [npmCli(), ...args, '--loglevel=error'], {
		cwd,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: process.platform !== 'win32',
		windowsHide: true,
	});
	let output = '';
	const keep = (chunk) => (output = (output + String(chunk)).slice(-20_000));
	child.stdout.on('data', keep);
	child.stderr.on('data', keep);
	const kill = () => killTree(child, 'SIGKILL');
	const stop = () => {
		killTree(child, 'SIGTERM');
		// npm would first put back, at leisure, what it had moved; the next install does that anyway.
		setTimeout(kill, PATIENCE_MS).unref();
	};
	signal.addEventListener('abort', stop, { once: true });
	process.on('exit', kill);
	const line = progressLine(title, started, progress);
	const result = await new Promise((resolve) => {
		child.once('error', (error) => resolve(error.message));
		child.once('close', (code, killedBy) => resolve(code ?? killedBy));
	});
	signal.removeEventListener('abort', stop);
	process.off('exit', kill);
	line.end(signal.aborted ? 'interrupted' : result === 0 ? 'done' : 'failed');
	signal.throwIfAborted();
	if (result !== 0) throw reason(title, output, result);
}

function progressLine(title, started, progress) {
	const terminal = process.stdout.isTTY;
	const text = (end) => {
		const seconds = Math.round((Date.now() - started) / 1000);
		return `  ${title}: ${[end ?? progress?.(), `${seconds} s`].filter(Boolean).join(', ')}`;
	};
	const show = (end) =>
		process.stdout.write(terminal ? `\r${text(end)}\u001b[K${end ? '\n' : ''}` : `${text(end)}\n`);
	process.stdout.write(`  ${title} …${terminal ? '' : '\n'}`);
	const timer = setInterval(() => show(), terminal ? TICK_MS : QUIET_TICK_MS);
	return {
		end(how) {
			clearInterval(timer);
			show(how);
		},
	};
}

const REASONS = [
	[
		/ENOSPC|no space left/i,
		'The disk is full.',
		'Free about 4 GB and start again: it goes on by itself.',
	],
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
		'Run "npm install" in the folder named above, or take both files from git again.',
	],
	[
		/gyp ERR!|not found: make|node-gyp/,
		'The database driver of n8n could not be built.',
		'Check that python3, make and g++ work, then start again; or add --prebuilt-sqlite to ' +
			'download it ready-made.',
	],
];

function reason(title, output, result) {
	const known = REASONS.find(([pattern]) => pattern.test(output));
	const said = output.trim().split('\n').slice(-12).join('\n');
	const [, what, wayOn] = known ?? [
		undefined,
		`npm ended with ${result}.`,
		'Start again: it goes on where it stopped.',
	];
	return new Explained(`${title}: ${what}\n\n${said}`, wayOn);
}
