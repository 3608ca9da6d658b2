import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import { killTree } from '../scripts/killTree';
import { UserError } from '../scripts/userError';

const STOP_MS = 20_000;

/**
 * Starts a program. On POSIX it leads a process group of its own: Ctrl-C in the terminal does not
 * reach it, so that it is stopped in order, and with all it started.
 */
export function startProgram(
	[program, ...args]: string[],
	options: {
		cwd: string;
		env?: NodeJS.ProcessEnv;
		/** Where its output goes; a file stays writable for a program that outlives this one. */
		output: number | ((text: string) => void);
		/** Whether to open a channel, whose end asks the program to end. */
		channel?: boolean;
	},
): ChildProcess {
	const stream = typeof options.output === 'number' ? options.output : 'pipe';
	const child = spawn(program!, args, {
		cwd: options.cwd,
		env: options.env,
		stdio: ['ignore', stream, stream, ...(options.channel ? (['ipc'] as const) : [])],
		detached: process.platform !== 'win32',
		windowsHide: true,
	});
	if (typeof options.output === 'function') {
		child.stdout?.setEncoding('utf8').on('data', options.output);
		child.stderr?.setEncoding('utf8').on('data', options.output);
	}
	return child;
}

/** Runs a program to its end and gives back what it printed. */
export async function runProgram(
	command: string[],
	options: { cwd: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal; channel?: boolean },
): Promise<{ code: number | null; output: string }> {
	options.signal?.throwIfAborted();
	let output = '';
	const child = startProgram(command, { ...options, output: (text) => (output += text) });
	const stop = () => killTree(child, 'SIGTERM');
	options.signal?.addEventListener('abort', stop, { once: true });
	try {
		await whenEnded(child);
		options.signal?.throwIfAborted();
		return { code: child.exitCode, output };
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
		throw new UserError(
			`The program "${command[0]}" was not found on this machine.`,
			'Install it, then start again.',
		);
	} finally {
		options.signal?.removeEventListener('abort', stop);
	}
}

/**
 * Settles when a program is over and all it printed was read. ('close' would say so as well, but
 * it never comes once a channel was closed from this side.)
 */
export async function whenEnded(child: ChildProcess): Promise<void> {
	const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
	await Promise.all([
		once(child, 'exit'),
		...streams.map(async (stream): Promise<unknown> => await once(stream, 'close')),
	]);
}

/** Ends a program that was started with a channel: asks, waits, and only then insists. */
export async function stopProgram(child: ChildProcess): Promise<void> {
	if (hasEnded(child)) return;
	const ended = once(child, 'exit');
	if (child.connected) child.disconnect();
	const patience = new AbortController();
	const late = sleep(STOP_MS, 'late', { signal: patience.signal, ref: false });
	if ((await Promise.race([ended, late])) === 'late') {
		killTree(child, 'SIGKILL');
		await ended;
	}
	patience.abort();
	await late.catch(() => undefined);
}

/** Whether a program is over, by itself or by a signal. */
export function hasEnded(child: ChildProcess): boolean {
	return child.exitCode !== null || child.signalCode !== null;
}
