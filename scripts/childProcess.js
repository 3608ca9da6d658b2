'use strict';
const { spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

const STOP_MS = 20_000;
const END_WITH_PARENT = path.join(__dirname, 'endWithParent.js');

/**
 * Starts a Node program that ends when this process ends, for whatever reason.
 *
 * On POSIX it leads its own process group, so Ctrl-C in the terminal does not reach it: it is shut
 * down cleanly, with everything it started.
 *
 * @param {string[]} args a script and its arguments
 * @param {object} options
 * @param {string} [options.node] the Node to run it with, if not this one
 * @param {string} options.cwd
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {number} [options.shutdownMs] time for its SIGTERM handler; killed immediately without
 * @param {number | ((text: string) => void)} options.output a file, or what to call with each piece
 * @returns {ChildProcess}
 */
function startNode(
	args,
	{ node = process.execPath, cwd, env = process.env, shutdownMs = 0, output },
) {
	const stream = typeof output === 'number' ? output : 'pipe';
	const child = spawn(node, ['--require', END_WITH_PARENT, ...args], {
		cwd,
		env: { ...env, SHUTDOWN_MS: String(shutdownMs) },
		stdio: ['ignore', stream, stream, 'ipc'],
		detached: process.platform !== 'win32',
		windowsHide: true,
	});
	if (typeof output === 'function') {
		child.stdout?.setEncoding('utf8').on('data', output);
		child.stderr?.setEncoding('utf8').on('data', output);
	}
	child.once('exit', () => killTree(child, 'SIGKILL'));
	return child;
}

/**
 * Runs a Node program to its end.
 *
 * @param {string[]} args
 * @param {{ node?: string, cwd: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal }} options
 * @returns {Promise<{ code: number | null, output: string }>}
 */
async function runNode(args, { signal, ...options }) {
	signal?.throwIfAborted();
	let output = '';
	const child = startNode(args, { ...options, output: (text) => (output += text) });
	const stop = () => killTree(child, 'SIGKILL');
	signal?.addEventListener('abort', stop, { once: true });
	try {
		await whenEnded(child);
		signal?.throwIfAborted();
		return { code: child.exitCode, output };
	} finally {
		signal?.removeEventListener('abort', stop);
	}
}

/**
 * Settles when a program has ended and all its output was read. (The event 'close' never comes if
 * the channel was closed from this side.)
 *
 * @param {ChildProcess} child
 */
async function whenEnded(child) {
	const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
	await Promise.all([once(child, 'exit'), ...streams.map((stream) => once(stream, 'close'))]);
}

/**
 * Asks a program to end, waits for it, and kills it if it takes too long.
 *
 * @param {ChildProcess} child
 */
async function stopNode(child) {
	if (hasEnded(child)) return;
	const ended = once(child, 'exit');
	if (child.connected) child.disconnect();
	const timer = setTimeout(killTree, STOP_MS, child, 'SIGKILL');
	await ended;
	clearTimeout(timer);
}

/** @param {ChildProcess} child */
function hasEnded(child) {
	return child.exitCode !== null || child.signalCode !== null;
}

/**
 * Sends a signal to a program and everything it started, even if the program itself has ended.
 *
 * @param {ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function killTree({ pid }, signal) {
	if (pid === undefined) return;
	if (process.platform === 'win32') {
		spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
		return;
	}
	try {
		process.kill(-pid, signal);
	} catch {
		// Nothing of it is left.
	}
}

module.exports = { hasEnded, killTree, runNode, startNode, stopNode, whenEnded };
