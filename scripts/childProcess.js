'use strict';
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {{ node?: string, cwd: string, env?: NodeJS.ProcessEnv }} Options */

const STOP_MS = 20_000;
const END_WITH_PARENT = path.join(__dirname, 'endWithParent.js');

/**
 * Starts a Node program in its own process group: Ctrl-C in the terminal does not reach it, and it
 * ends, with everything it started, when this process ends for whatever reason.
 *
 * @param {string[]} args a script and its arguments
 * @param {Options & { shutdownMs?: number, output: number | ((text: string) => void) }} options
 *   shutdownMs is the time for its SIGTERM handler, and output a file or what to call with each piece
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
		detached: true,
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
 * @param {Options & { signal?: AbortSignal }} options
 */
async function runNode(args, { signal, ...options }) {
	signal?.throwIfAborted();
	let output = '';
	const child = startNode(args, { ...options, output: (text) => (output += text) });
	const stop = () => killTree(child, 'SIGKILL');
	signal?.addEventListener('abort', stop);
	await whenEnded(child);
	signal?.removeEventListener('abort', stop);
	signal?.throwIfAborted();
	return { code: child.exitCode, output };
}

/**
 * Settles when a program has ended and all its output was read.
 *
 * @param {ChildProcess} child
 */
async function whenEnded(child) {
	// Its own event 'close' never comes if the channel was closed from this side.
	const streams = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'close'));
	await Promise.all([once(child, 'exit'), ...streams]);
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
	try {
		if (pid !== undefined) process.kill(-pid, signal);
	} catch {
		// Nothing of it is left.
	}
}

module.exports = { hasEnded, killTree, runNode, startNode, stopNode, whenEnded };
