import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { n8nCommand, projectRoot } from '../../n8n/installation';

type Functions = Record<string, (...args: never[]) => Promise<unknown>>;
type Reply = { value: unknown } | { error: string };

/** A module of this folder in its own process; its functions are called one at a time. */
export class Worker<F extends Functions> {
	private readonly child: ChildProcess;
	private readonly exited: Promise<unknown>;

	/** Starts the process on the Node.js that n8n runs on. */
	constructor(fileName: string, env: NodeJS.ProcessEnv = process.env) {
		this.child = fork(join(__dirname, 'workerProcess.js'), [join(__dirname, fileName)], {
			execPath: n8nCommand()[0],
			execArgv: ['--expose-gc'],
			env,
			cwd: projectRoot,
			stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
			// JSON would turn a missing argument into null.
			serialization: 'advanced',
		});
		this.exited = once(this.child, 'exit');
	}

	/** Calls a function of the module and returns what it resolves to; throws what it throws. */
	async call<Name extends keyof F & string>(
		name: Name,
		...args: Parameters<F[Name]>
	): Promise<Awaited<ReturnType<F[Name]>>> {
		this.child.send({ name, args });
		const ended = this.exited.then(() => [{ error: `The process of ${name} ended.` }]);
		const [reply] = (await Promise.race([once(this.child, 'message'), ended])) as [Reply];
		if ('error' in reply) throw new Error(reply.error);
		return reply.value as Awaited<ReturnType<F[Name]>>;
	}

	/** Stops the process and waits until it has ended. */
	async end(): Promise<void> {
		this.child.kill('SIGKILL');
		await this.exited;
	}
}
