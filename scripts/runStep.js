'use strict';
const { killTree, startNode, whenEnded } = require('./childProcess');
const { REASONS, UserError, createProgramError } = require('./userError');

const TICK_MS = 1_000;
const LOG_TICK_MS = 15_000;

/**
 * How long a step may be idle before the progress line reports it, and before the step fails.
 *
 * @typedef {{ quietMs: number, stalledMs: number }} Patience
 */

/** For a download. */
const PATIENCE = { quietMs: 60_000, stalledMs: 300_000 };

/**
 * For a compiler, which may be silent for any length of time.
 *
 * @type {Patience}
 */
const UNLIMITED = { quietMs: Infinity, stalledMs: Infinity };

class StalledError extends UserError {}

/**
 * Runs one step of an install, a Node program, with a progress line.
 *
 * @param {object} step
 * @param {string} step.title description of the step for the progress line
 * @param {string[]} step.args a script and its arguments
 * @param {string} step.cwd
 * @param {() => string} [step.progress] current progress
 * @param {string} [step.node] the Node to run it on, if not this one
 * @param {NodeJS.ProcessEnv} [step.env]
 * @param {Patience} [step.patience]
 * @param {AbortSignal} step.signal
 * @throws {UserError} with the last lines it printed, if it does not succeed
 * @throws {StalledError} if nothing happened for too long
 */
async function runStep({ title, args, progress, patience = PATIENCE, signal, ...options }) {
	signal.throwIfAborted();
	const startedAt = Date.now();
	let activeAt = startedAt;
	let shownAt = startedAt;
	let output = '';
	let position = '';
	let isStalled = false;
	const child = startNode(args, {
		...options,
		output: (text) => {
			activeAt = Date.now();
			output = (output + text).slice(-20_000);
		},
	});
	// Immediately: npm would first undo its work, which is pointless.
	const kill = () => killTree(child, 'SIGKILL');

	/** @param {string} [outcome] */
	const show = (outcome) => {
		const details = [outcome ?? position, `${Math.round((Date.now() - startedAt) / 1000)} s`];
		if (!outcome && Date.now() - activeAt > patience.quietMs) {
			const idle = Math.round((Date.now() - activeAt) / 1000);
			details.push(`nothing received for ${idle} s: is the network slow?`);
		}
		const line = `  ${title}: ${details.filter(Boolean).join(', ')}`;
		if (!process.stdout.isTTY) process.stdout.write(`${line}\n`);
		else process.stdout.write(`\r${line}\u001b[K${outcome ? '\n' : ''}`);
		shownAt = Date.now();
	};
	const tick = () => {
		const reached = progress?.() ?? '';
		if (reached !== position) activeAt = Date.now();
		position = reached;
		isStalled = Date.now() - activeAt > patience.stalledMs;
		if (isStalled) kill();
		else if (process.stdout.isTTY || Date.now() - shownAt >= LOG_TICK_MS) show();
	};

	signal.addEventListener('abort', kill, { once: true });
	const timer = setInterval(tick, TICK_MS);
	show('started');
	try {
		await whenEnded(child);
	} finally {
		clearInterval(timer);
		signal.removeEventListener('abort', kill);
	}
	const hasSucceeded = child.exitCode === 0;
	show(signal.aborted ? 'interrupted' : hasSucceeded ? 'done' : 'failed');
	signal.throwIfAborted();
	if (isStalled) {
		throw new StalledError(
			`${title}: nothing was received for ${Math.round(patience.stalledMs / 60_000)} minutes.`,
			REGISTRY_HINT,
		);
	}
	if (!hasSucceeded) {
		const hint = 'Start again. If it ends like this again, the lines above say why.';
		throw createProgramError(title, output, hint, INSTALL_REASONS);
	}
}

const REGISTRY_HINT =
	'Check the network (and "npm config get registry", or the proxy settings), then start again: ' +
	'what was downloaded is kept.';

/** @type {import('./userError').Reason[]} */
const INSTALL_REASONS = [
	...REASONS,
	[
		/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|E5\d\d/,
		'The npm registry did not answer.',
		REGISTRY_HINT,
	],
	[
		/E40[134]|ENEEDAUTH|ETARGET/,
		'The npm registry does not serve a package.',
		'Check "npm config get registry" and its login, then start again.',
	],
	[/EINTEGRITY/, 'A package arrived damaged.', 'Run "npm cache verify", then start again.'],
	[
		/npm ci.*in sync|EUSAGE/,
		'package.json and package-lock.json do not belong together.',
		'Run "npm install" in the folder of both, or take both from git again.',
	],
	[
		/gyp ERR!/,
		'The database driver of n8n could not be built.',
		'Check that python3, make and g++ work, then start again; or download it ready-made: ' +
			'npm start -- --prebuilt-sqlite',
	],
];

module.exports = { StalledError, UNLIMITED, runStep };
