import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A program that a test started. */
export interface Program {
	readonly child: ChildProcess;
	/** Everything it has printed. */
	readonly output: string;
	/** Settles once it has printed a text; fails if it ends before. */
	whenPrinted(text: string | RegExp): Promise<RegExpMatchArray>;
	/** Waits for its end and returns its exit code. */
	whenEnded(): Promise<number | null>;
}

/** Starts a program without npm's settings of the one that runs the tests. */
export function startProgram(
	[command, ...args]: [string, ...string[]],
	{ cwd, env = {} }: { cwd: string; env?: NodeJS.ProcessEnv },
): Program {
	const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
	const child = spawn(command, args, { cwd, env: { ...Object.fromEntries(own), ...env } });
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
	const ended = once(child, 'close') as Promise<[number | null]>;
	return {
		child,
		get output() {
			return output;
		},
		async whenPrinted(text) {
			for (;;) {
				const match = output.match(text);
				if (match) return match;
				const [event] = await Promise.race([
					once(child.stdout, 'data'),
					once(child.stderr, 'data'),
					ended.then(() => ['ended']),
				]);
				if (event === 'ended') throw new Error(`It ended without ${String(text)}:\n${output}`);
			}
		},
		whenEnded: async () => (await ended)[0],
	};
}

/** Runs a program to its end. */
export async function runProgram(
	command: [string, ...string[]],
	options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<{ code: number | null; output: string }> {
	const program = startProgram(command, options);
	const code = await program.whenEnded();
	return { code, output: program.output };
}
