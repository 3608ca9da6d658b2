import { readFileSync } from 'node:fs';

import { printError } from '../scripts/userError';

/**
 * Runs a command of this project with a signal that is aborted by Ctrl-C, by SIGTERM and when the
 * terminal is closed; prints its error and sets the exit code.
 */
export async function runEntry(
	command: (args: string[], signal: AbortSignal) => Promise<number | void>,
): Promise<void> {
	const controller = new AbortController();
	const { signal } = controller;
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => {
			// The second Ctrl-C exits immediately, in case stopping takes too long. The other signals may
			// come more than once: from the terminal, from the shell, and because npm has ended.
			if (signal.aborted && name === 'SIGINT') process.exit(130);
			controller.abort();
		});
	}
	// What is still to be cleaned up must not end with a terminal or a pipe that is gone.
	for (const stream of [process.stdout, process.stderr]) {
		stream.on('error', () => controller.abort());
	}
	endWithNpm();
	try {
		process.exitCode = (await command(process.argv.slice(2), signal)) ?? process.exitCode;
	} catch (error) {
		process.exitCode = signal.aborted ? 130 : 1;
		if (signal.aborted) process.stderr.write('\nInterrupted. Start again to go on.\n');
		else printError(error);
	}
}

/**
 * Sends this process SIGTERM once npm has ended: npm passes a signal on to its shell, but the
 * shell dies without passing it on to this process.
 */
export function endWithNpm(): void {
	if (process.env.npm_lifecycle_event === undefined) return;
	const before = readAncestors();
	const timer = setInterval(() => {
		if (readAncestors() === before) return;
		clearInterval(timer);
		process.kill(process.pid, 'SIGTERM');
	}, 500).unref();
}

/** The IDs of the parent and, on Linux, of its parent: a shell outlives a killed npm. */
function readAncestors(): string {
	try {
		const status = readFileSync(`/proc/${process.ppid}/status`, 'utf8');
		return `${process.ppid} ${/^PPid:.*/m.exec(status)?.[0]}`;
	} catch {
		return String(process.ppid);
	}
}
