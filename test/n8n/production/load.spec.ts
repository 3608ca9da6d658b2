import { createLocator, createSpeech as speechParameters, VOICE } from '../../support/parameters';
import { connectInOrder, rows, STUDIO, type Part } from '../runningN8n';

import { isReduced, recordFigure, scale } from './figures';
import { useStack, type Mode, type Stack } from './stack';
import { callWebhookTimes, webhook } from './webhook';

const ITEMS = scale(5_000);
const EXECUTIONS = 50;
const ITEMS_PER_EXECUTION = 20;
const MODES: Mode[] = isReduced ? ['queue mode'] : ['SQLite', 'PostgreSQL', 'queue mode'];
const SMALLEST_PLAN_MIB = 768;
/** About what Node.js gives its heap on a machine of that size: half of it. */
const SMALLEST_PLAN_HEAP = '--max-old-space-size=384';

describe.each(MODES)('Load on %s', (mode) => {
	const stack = useStack(mode);

	it(`creates one speech for each of ${ITEMS} items of one run`, async () => {
		const idleMemory = stack.peakMemory();
		const { seconds, ...counts } = await callTimes(stack, 1, ITEMS);

		expect(counts).toEqual({ answered: 1, results: ITEMS, created: ITEMS, distinct: ITEMS });
		recordFigure(
			`${ITEMS} items in one run on ${mode}`,
			`${seconds} s, none twice, memory up to ${stack.peakMemory()} MiB (${idleMemory} MiB before)`,
		);
	});

	it(`runs ${EXECUTIONS} executions of ${ITEMS_PER_EXECUTION} items at once`, async () => {
		const { seconds, ...counts } = await callTimes(stack, EXECUTIONS, ITEMS_PER_EXECUTION);
		const total = EXECUTIONS * ITEMS_PER_EXECUTION;

		expect(counts).toEqual({
			answered: EXECUTIONS,
			results: total,
			created: total,
			distinct: total,
		});
		recordFigure(
			`${EXECUTIONS} executions of ${ITEMS_PER_EXECUTION} items at once on ${mode}`,
			`${seconds} s, all answered, none twice`,
		);
	});
});

describe(`Load on ${SMALLEST_PLAN_MIB} MiB, the smallest cloud plan`, () => {
	const stack = useStack('SQLite', { NODE_OPTIONS: SMALLEST_PLAN_HEAP });
	// After 1,000 on a busy machine, n8n takes its database for lost: docs/production.md.
	const items = scale(500);

	it(`creates one speech for each of ${items} items of one run`, async () => {
		const { seconds, ...counts } = await callTimes(stack, 1, items);

		expect(counts).toEqual({ answered: 1, results: items, created: items, distinct: items });
		expect(stack.peakMemory()).toBeLessThan(SMALLEST_PLAN_MIB);
		recordFigure(
			`${items} items in one run on ${SMALLEST_PLAN_MIB} MiB`,
			`${seconds} s, none twice, memory up to ${stack.peakMemory()} MiB`,
		);
	});
});

/** Publishes a workflow that creates so many speeches for each call, and calls it. */
async function callTimes({ main, n8n }: Stack, times: number, items: number) {
	const { part, path } = webhook();
	const list = `Array.from({ length: ${items} }, (_, row) => ({ row, call: $json.body.call }))`;
	const speech: Part = {
		name: 'Create speech',
		type: STUDIO,
		parameters: speechParameters({
			script: '={{ "Call " + $json.call + ", row " + $json.row }}',
			// Picked from the list. n8n gives the pattern of an ID 250 ms, and the execution up if the
			// machine is too busy for that.
			voiceId: createLocator(VOICE, 'list'),
		}),
		credentials: n8n.account,
	};
	const parts = [part, ...rows(list), speech];
	await n8n.publish(await n8n.newWorkflow('Speeches per call', parts, connectInOrder(parts)));
	const started = Date.now();
	const results = await callWebhookTimes(`${main.url}/webhook/${path}`, times, times);
	return {
		seconds: Math.round((Date.now() - started) / 1000),
		answered: results.filter(({ status }) => status === 200).length,
		results: results.flatMap((result) => result.items).length,
		created: n8n.service.speeches.length,
		distinct: new Set(n8n.service.speeches.map(({ script }) => script)).size,
	};
}
