import { createLocator, createSpeech as speechParameters, VOICE } from '../../support/parameters';
import { connectInOrder, rows } from '../runningN8n';

import { isReduced, scale } from './scale';
import { useStack, type Mode, type Stack } from './stack';
import { callWebhookTimes, webhook } from './webhook';

const MODES: Mode[] = isReduced ? ['queue mode'] : ['SQLite', 'PostgreSQL', 'queue mode'];
const SMALLEST_PLAN_MIB = 768;
/** About what Node.js gives its heap on a machine of that size: half of it. */
const SMALLEST_PLAN_HEAP = '--max-old-space-size=384';

describe.each(MODES)('Load on %s', (mode) => {
	const stack = useStack(mode);

	it.each([
		[1, scale(5_000)],
		[50, 20],
	])('%i executions of %i items create one speech for each', async (executions, items) => {
		await expectSpeeches(stack, executions, items);
	});
});

describe(`Load on ${SMALLEST_PLAN_MIB} MiB, the smallest cloud plan`, () => {
	const stack = useStack('SQLite', { NODE_OPTIONS: SMALLEST_PLAN_HEAP });
	// After 1,000 on a busy machine, n8n takes its database for lost: docs/production.md.
	const items = scale(500);

	it(`creates one speech for each of ${items} items of one run`, async () => {
		await expectSpeeches(stack, 1, items);
		expect(stack.readPeakMemory()).toBeLessThan(SMALLEST_PLAN_MIB);
	});
});

/** Calls a webhook so many times at once that creates so many speeches each time. */
async function expectSpeeches({ main, n8n }: Stack, times: number, items: number): Promise<void> {
	const { part, path } = webhook();
	const list = `Array.from({ length: ${items} }, (_, row) => ({ row, call: $json.body.call }))`;
	const parameters = speechParameters({
		script: '={{ "Call " + $json.call + ", row " + $json.row }}',
		// Picked from the list. n8n gives the pattern of an ID 250 ms, and the execution up if the
		// machine is too busy for that.
		voiceId: createLocator(VOICE, 'list'),
	});
	const parts = [part, ...rows(list), n8n.studio('Create speech', parameters)];
	await n8n.publish(await n8n.newWorkflow('Speeches per call', parts, connectInOrder(parts)));
	const results = await callWebhookTimes(`${main.url}/webhook/${path}`, times, times);
	const { speeches } = n8n.service;
	expect(results.filter(({ status }) => status === 200)).toHaveLength(times);
	expect(results.flatMap((result) => result.items)).toHaveLength(times * items);
	expect(speeches).toHaveLength(times * items);
	expect(new Set(speeches.map(({ script }) => script)).size).toBe(times * items);
}
