import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { killTree } from '../../scripts/childProcess';
import { findNpm } from '../../scripts/findNpm';
import { projectRoot } from '../../scripts/n8nFolder';

/** A program started by a test. */
export interface Program {
	readonly child: ChildProcess;
	/** Everything it printed so far. */
	readonly output: string;
	/** Settles once it has printed a text; fails if it ends first. */
	whenPrinted(text: string | RegExp): Promise<RegExpMatchArray>;
	/** Sends SIGINT to it and everything it started, as Ctrl-C in a terminal does. */
	pressCtrlC(): void;
	/** Waits for it to end and returns its exit code. */
	whenEnded(): Promise<number | null>;
}

interface ProgramOptions {
	cwd: string;
	env?: NodeJS.ProcessEnv;
}

const started: ChildProcess[] = [];

/** Starts npm. */
export function startNpm(args: string[], options: ProgramOptions): Program {
	return startProgram([findNpm(), ...args], options);
}

/**
 * Starts a Node program in its own process group, as a shell does, and without the npm settings of
 * the process that runs the tests. The group is killed if that process is killed.
 */
export function startProgram(args: string[], { cwd, env = {} }: ProgramOptions): Program {
	const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
	const preload = join(projectRoot, 'scripts', 'endWithParent.js');
	const child = spawn(process.execPath, ['--require', preload, ...args], {
		cwd,
		env: { ...Object.fromEntries(own), ...env },
		stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
		detached: true,
	});
	started.push(child);
	const { stdout, stderr } = child;
	let output = '';
	for (const stream of [stdout!, stderr!]) {
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
	const ended = Promise.all([once(child, 'exit'), once(stdout!, 'close'), once(stderr!, 'close')]);
	return {
		child,
		get output() {
			return output;
		},
		whenPrinted: async (text) =>
			await new Promise((resolve, reject) => {
				const check = () => {
					const match = output.match(text);
					if (match) resolve(match);
				};
				stdout!.on('data', check);
				stderr!.on('data', check);
				check();
				void ended.then(() => reject(new Error(`It ended without ${String(text)}:\n${output}`)));
			}),
		pressCtrlC: () => killTree(child, 'SIGINT'),
		whenEnded: async () => {
			await ended;
			return child.exitCode;
		},
	};
}

/** Kills all programs that are still running. */
export function killPrograms(): void {
	for (const child of started.splice(0)) killTree(child, 'SIGKILL');
}
