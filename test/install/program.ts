import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { killTree } from '../../scripts/childProcess';
import { findNpm } from '../../scripts/findNpm';
import { projectRoot } from '../../scripts/n8nFolder';

/** A folder name with the characters that break careless scripts. */
export const SPECIAL_CHARACTERS = "it's a (süße) & more";

/** A program started by a test. */
export interface Program {
	readonly child: ChildProcess;
	/** Everything it printed so far. */
	readonly output: string;
	/** Settles once it has printed a text; fails if it ends first. */
	whenPrinted(text: string | RegExp): Promise<void>;
	/** Sends SIGINT to it and everything it started, as Ctrl-C in a terminal does. */
	pressCtrlC(): void;
	/** Waits for it to end and returns its exit code. */
	whenEnded(): Promise<number | null>;
}

const started: ChildProcess[] = [];

/**
 * Starts npm in its own process group, as a shell does, and without the npm settings of the process
 * that runs the tests. The group is killed if that process is killed.
 */
export function startNpm(args: string[], cwd: string, env: NodeJS.ProcessEnv = {}): Program {
	const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
	const preload = join(projectRoot, 'scripts', 'endWithParent.js');
	const child = spawn(process.execPath, ['--require', preload, findNpm(), ...args], {
		cwd,
		env: { ...Object.fromEntries(own), ...env },
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		detached: true,
	});
	started.push(child);
	let output = '';
	const streams = [child.stdout!, child.stderr!];
	for (const stream of streams) {
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
	const ended = Promise.all([once(child, 'exit'), ...streams.map((each) => once(each, 'close'))]);
	return {
		child,
		get output() {
			return output;
		},
		whenPrinted: async (text) => {
			while (!output.match(text)) {
				if (streams.every(({ closed }) => closed)) {
					throw new Error(`It ended without ${String(text)}:\n${output}`);
				}
				await sleep(50);
			}
		},
		pressCtrlC: () => killTree(child, 'SIGINT'),
		whenEnded: async () => {
			await ended;
			return child.exitCode;
		},
	};
}

/** Settles once no process runs in a folder; fails with their command lines after a while. */
export async function expectAllEnded(folder: string): Promise<void> {
	for (let round = 0; listProcesses(folder).length > 0; round++) {
		if (round === 300) throw new Error(`Still running:\n${listProcesses(folder).join('\n')}`);
		await sleep(100);
	}
}

/** Kills all programs that are still running. */
export function killPrograms(): void {
	for (const child of started.splice(0)) killTree(child, 'SIGKILL');
}

/** Returns the command lines of all processes that run in a folder or run a program from it. */
export function listProcesses(folder: string): string[] {
	return readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
		.flatMap((pid) => {
			try {
				const command = readFileSync(join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ');
				const cwd = readlinkSync(join('/proc', pid, 'cwd'));
				return command.includes(folder) || cwd.startsWith(folder) ? [command] : [];
			} catch {
				// It ended in the meantime.
				return [];
			}
		});
}
