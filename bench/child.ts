import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { projectRoot } from '../n8n/installation';

interface Message {
	id: number;
	answer?: unknown;
	error?: string;
}

/** The functions a child process has, by name. */
type Answers = Record<string, (...args: never[]) => Promise<unknown>>;

/** A child process whose functions can be called, one at a time: see child.cjs. */
export class Child<A extends Answers> {
	private readonly process: ChildProcess;
	private readonly waiting = new Map<number, (message: Message) => void>();
	private asked = 0;
	private output = '';

	/**
	 * @param module a file of this folder that exports its functions as `answers`
	 * @param node the Node to run it on
	 */
	constructor(module: string, options: { node: string; env: NodeJS.ProcessEnv }) {
		this.process = fork(join(__dirname, 'child.cjs'), [join(__dirname, module)], {
			execPath: options.node,
			execArgv: ['--expose-gc'],
			env: options.env,
			cwd: projectRoot,
			stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
			// JSON would make null of an argument that is not there.
			serialization: 'advanced',
		});
		for (const stream of [this.process.stdout, this.process.stderr]) {
			stream?.on('data', (data: Buffer) => (this.output += data.toString()));
		}
		this.process.on('message', (message: Message) => this.waiting.get(message.id)?.(message));
		this.process.once('exit', (code, signal) => {
			const error = `The process ended (${code ?? signal}): ${this.output.slice(-2000)}`;
			for (const [id, answer] of this.waiting) answer({ id, error });
		});
	}

	/** Calls a function of the child and waits for what it returns. */
	async ask<Name extends keyof A>(
		name: Name,
		...args: Parameters<A[Name]>
	): Promise<Awaited<ReturnType<A[Name]>>> {
		const id = ++this.asked;
		const answered = new Promise<Message>((resolve) => this.waiting.set(id, resolve));
		this.process.send({ id, name, args });
		const { answer, error } = await answered;
		this.waiting.delete(id);
		if (error !== undefined) throw new Error(error);
		return answer as Awaited<ReturnType<A[Name]>>;
	}

	/** Ends the process and waits until it is gone. */
	async stop(): Promise<void> {
		if (this.process.exitCode !== null || this.process.signalCode !== null) return;
		const ended = once(this.process, 'exit');
		this.process.kill('SIGKILL');
		await ended;
	}
}
