import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';

import type * as Engine from '../test/support/engine/engine';
import type { Credentials } from '../test/support/engine/parts';
import type * as TriggerWorkflows from '../test/support/engine/triggerWorkflow';

/** What the process is asked to do: to publish a workflow with the trigger, or to poll a minute later. */
export type PollTask = { parameters: INodeParameters; credentials: Credentials } | 'poll';

export interface PollResult {
	emitted: unknown[];
	/** CPU time of this process while it polled, in milliseconds. */
	cpuMs: number;
}

const MINUTE_MS = 60_000;
const [, , root = ''] = process.argv;

let workflow: TriggerWorkflows.TriggerWorkflow;
let elapsedMs = 0;

/** Lets the clocks that the node reads show the minutes that have passed for the workflow. */
function startClock(): void {
	const clocks: { now: () => number }[] = [performance, Date];
	for (const clock of clocks) {
		const now = clock.now.bind(clock);
		clock.now = () => now() + elapsedMs;
	}
}

/** Publishes a workflow with the trigger of the build in the folder `root`, on n8n's own engine. */
async function publish({ parameters, credentials }: Exclude<PollTask, 'poll'>) {
	const load = async <T>(name: string) =>
		(await import(join(root, 'test/support/engine', name))) as T;
	await load('environment.ts');
	const { startEngine } = await load<typeof Engine>('engine.ts');
	const { TriggerWorkflow } = await load<typeof TriggerWorkflows>('triggerWorkflow.ts');
	await startEngine();
	workflow = new TriggerWorkflow(parameters, credentials);
	return await workflow.activate();
}

async function carryOut(task: PollTask): Promise<PollResult> {
	if (task === 'poll') elapsedMs += MINUTE_MS;
	const before = process.cpuUsage();
	const items = task === 'poll' ? await workflow.poll() : await publish(task);
	const { user, system } = process.cpuUsage(before);
	return { emitted: items.map(({ json }) => json.id), cpuMs: (user + system) / 1000 };
}

startClock();
process.on('message', (task: PollTask) => {
	carryOut(task).then(
		(value) => process.send!({ value }),
		(error: Error) => process.send!({ error: error.stack }),
	);
});
