import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { UserError } from '../scripts/userError';

interface ProgramOptions {
	/** The Node.js to run it with, if not the running one. */
	node?: string;
	cwd: string;
	env?: NodeJS.ProcessEnv;
}

/** How long a program may take to end before it is killed. */
const STOP_MS = 20_000;
const END_WITH_PARENT = join(__dirname, 'endWithParent.js');

/**
 * Starts a Node program in its own process group: Ctrl-C in the terminal does not reach it, and it
 * ends, with everything it started, when this process ends for whatever reason.
 *
 * @param args a script and its arguments
 * @param options `shutdownMs` is the time for its SIGTERM handler, and `output` a file or what to call
 *   with each piece
 */
export function startNode(
	args: string[],
	{
		node = process.execPath,
		cwd,
		env = process.env,
		shutdownMs = 0,
		output,
	}: ProgramOptions & { shutdownMs?: number; output: number | ((text: string) => void) },
): ChildProcess {
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

/** Runs a Node program to its end, or kills it when the signal is aborted, and then throws. */
export async function runNode(
	args: string[],
	{ signal, ...options }: ProgramOptions & { signal?: AbortSignal },
): Promise<{ code: number | null; output: string }> {
	signal?.throwIfAborted();
	let output = '';
	const append = (text: string) => {
		output += text;
	};
	const child = startNode(args, { ...options, output: append });
	const stop = () => killTree(child, 'SIGKILL');
	signal?.addEventListener('abort', stop);
	await whenEnded(child);
	signal?.removeEventListener('abort', stop);
	signal?.throwIfAborted();
	return { code: child.exitCode, output };
}

/** Settles when a program has ended and all its output was read. */
export async function whenEnded(child: ChildProcess): Promise<void> {
	// The event 'close' of a child never comes if this process has closed its IPC channel.
	const streams = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'close'));
	await Promise.all([once(child, 'exit'), ...streams]);
}

/** Asks a program to end, waits for it, and kills it if it takes too long. */
export async function stopNode(child: ChildProcess): Promise<void> {
	if (hasEnded(child)) return;
	const ended = once(child, 'exit');
	if (child.connected) child.disconnect();
	const timer = setTimeout(killTree, STOP_MS, child, 'SIGKILL');
	await ended;
	clearTimeout(timer);
}

export function hasEnded(child: ChildProcess): boolean {
	return child.exitCode !== null || child.signalCode !== null;
}

/** Sends a signal to a program and everything it started, even if the program itself has ended. */
export function killTree({ pid }: ChildProcess, signal: NodeJS.Signals): void {
	try {
		if (pid !== undefined) process.kill(-pid, signal);
	} catch {
		// The program and everything it started have ended.
	}
}

/** The error for a failed program: what failed, and the last lines it printed. */
export function createProgramError(title: string, output: string, hint: string): UserError {
	const lines = output.split('\n').filter((line) => line.trim() && !/^\s+at /.test(line));
	return new UserError(`${title}\n\n${lines.slice(-12).join('\n')}`, hint);
}
