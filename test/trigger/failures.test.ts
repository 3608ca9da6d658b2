import { inspect } from 'node:util';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { forgetRateLimits } from '../../nodes/AvatarStudio/client/limiter/rateLimiters';
import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { getError, getErrorText, warnings } from '../support/engine/engine';
import { getIds, getItemIds, useTrigger, watchAssets, watchVoices } from '../support/trigger';

const watching = useTrigger();
const clock = useClock();

/** The shortest interval of polls, in milliseconds: a poll waits for less. */
const POLL_MS = 60_000;
/** How many times faster than real time delays pass; the time that the test itself takes counts too. */
const SPEED = 5;

beforeEach(() => clock.run(SPEED));

const HOUR_MS = 3_600_000;

interface PollFailure {
	cause: string;
	retryAfterMs?: number;
}

const page = { headers: { 'content-type': 'text/html' }, body: '<title>Under maintenance</title>' };
const unavailable = { cause: 'temporarily-unavailable' };
const faults: [string, string, Fault, PollFailure | undefined][] = [
	[
		'429 with Retry-After',
		'1',
		{ status: 429, headers: { 'retry-after': '120' } },
		{ cause: 'rate-limited', retryAfterMs: 120_000 },
	],
	['429', '2', { status: 429 }, { cause: 'rate-limited' }],
	['500', '3', { status: 500 }, unavailable],
	['503', '1', { status: 503 }, unavailable],
	['503', '3', { status: 503 }, unavailable],
	[
		'503 with Retry-After',
		'2',
		{ status: 503, headers: { 'retry-after': '90' } },
		{ ...unavailable, retryAfterMs: 90_000 },
	],
	['a dropped connection', '1', { disconnect: 'beforeResponse' }, unavailable],
	['a truncated response', '2', { disconnect: 'midBody' }, unavailable],
	['a web page', '2', page, undefined],
	['a web page', '3', page, undefined],
];

test.each<[string, Fault]>([
	['500', { status: 500 }],
	['401', { status: 401, body: { message: 'Authorization has been denied.' } }],
	['a dropped connection', { disconnect: 'beforeResponse' }],
])('n8n gives up no trigger because its polls fail after a restart (%s)', async (_what, fault) => {
	clock.run(100);
	const workflow = await watching.activateWorkflow(watchAssets());
	const added = watching.service.addAssets(1);
	watching.service.injectFault(fault);
	expect(await workflow.restart()).toEqual([]);
	expect(warnings.at(-1)).toContain('The next poll tries again.');
	await clock.pass(HOUR_MS);
	await getError(workflow.poll());
	watching.service.clearFaults();
	expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	watching.service.injectFault(fault);
	await getError(workflow.poll());
});

test('n8n gives up no trigger whose filter fails at its first poll in a new process', async () => {
	const filters = { nameContains: '={{ nobodyHasThis() }}' };
	const workflow = await watching.createWorkflow(watchAssets({}, filters));
	expect(await workflow.restart()).toEqual([]);
	await clock.pass(HOUR_MS);
	await getError(workflow.poll());
});

test.each(faults)(
	'a poll with %s as page %s emits and forgets nothing, and the next one catches up',
	async (_name, number, fault, failure) => {
		const workflow = await watching.activateWorkflow(watchAssets({ pageSize: 4, firstPage: '1' }));
		const added = watching.service.addAssets(5);
		const memory = workflow.memory();
		watching.service.injectFault({
			...fault,
			when: ({ path, query }) => path === '/v1/assets' && query.Page === number,
		});

		// Refused polls are an error after an hour without a successful one.
		if (failure?.cause === 'rate-limited') await clock.pass(HOUR_MS);
		const started = Date.now();
		const error = await getError(workflow.poll());
		expect(Date.now() - started).toBeLessThan(POLL_MS);
		expect(error.name).toBe('NodeApiError');
		expect(error.failure).toEqual(failure);
		expect(workflow.memory()).toBe(memory);

		watching.service.clearFaults();
		// n8n polls again once the delay requested by the service is over.
		await clock.pass(failure?.retryAfterMs ?? 0);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
		expect(await workflow.poll()).toEqual([]);
	},
);

test('a poll that cannot read the voices emits nothing, and the next one catches up', async () => {
	const workflow = await watching.activateWorkflow(watchVoices());
	const { voiceId } = watching.addVoice('amber');
	const memory = workflow.memory();
	watching.service.injectFault({ status: 503 });
	expect((await getError(workflow.poll())).failure).toEqual(unavailable);
	expect(workflow.memory()).toBe(memory);
	watching.service.clearFaults();
	expect(await workflow.poll()).toMatchObject([{ json: { voiceId } }]);
});

describe('a trigger beside a batch that uses up the limit', () => {
	const refuse = () => watching.service.injectFault({ status: 429 });
	const catchUp = async (poll: () => Promise<INodeExecutionData[]>) => {
		watching.service.clearFaults();
		forgetRateLimits();
		return getItemIds(await poll());
	};

	it('logs that a poll was refused, and the next one emits what came meanwhile', async () => {
		const workflow = await watching.activateWorkflow();
		const added = watching.service.addAssets(2);
		refuse();
		// Fifty minutes.
		for (let poll = 0; poll < 5; poll++) {
			expect(await workflow.poll()).toEqual([]);
			await clock.pass(HOUR_MS / 6);
		}
		expect(warnings).toEqual(Array(5).fill(expect.stringContaining('The next poll tries again')));
		expect(await catchUp(() => workflow.poll())).toEqual(getIds(added));
		refuse();
		expect(await workflow.poll()).toEqual([]);
		await clock.pass(HOUR_MS);
		expect((await getError(workflow.poll())).message).toContain('too many requests');
	});

	it('starts again after a restart of n8n although its polls are refused, and says so after an hour', async () => {
		const workflow = await watching.activateWorkflow();
		const added = watching.service.addAssets(1);
		refuse();
		expect(await workflow.restart()).toEqual([]);
		await clock.pass(HOUR_MS);
		await getError(workflow.poll());
		expect(await catchUp(() => workflow.poll())).toEqual(getIds(added));
	});

	it('is not activated, and shows no test event, without an answer', async () => {
		const workflow = await watching.createWorkflow();
		refuse();
		const errors = [await getError(workflow.activate()), await getError(workflow.fetchTestEvent())];
		expect(errors.map(({ httpCode }) => httpCode)).toEqual(['429', '429']);
	});
});

test('a poll without a response times out, and the next one catches up', async () => {
	const workflow = await watching.activateWorkflow();
	const added = watching.service.addAssets(1);
	watching.service.injectFault({ hang: true, times: 3 });
	clock.run(200);
	const started = Date.now();
	const error = await getError(workflow.poll());
	expect(Date.now() - started).toBeLessThan(120_000);
	expect(getErrorText(error)).toContain('did not respond in time');
	clock.run(1);
	watching.service.clearFaults();
	expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
});

test('a poll that does not end holds up the next ones for half an hour, and then emits nothing', async () => {
	const workflow = await watching.activateWorkflow(watchAssets({ downloadFile: true }));
	const added = watching.service.addAssets(1);
	const binaryData = Container.get(BinaryDataService);
	const store = binaryData.store.bind(binaryData);
	let release: (() => void) | undefined;
	const released = new Promise<void>((resolve) => (release = resolve));
	let first: Promise<unknown> | undefined;
	await new Promise<void>((isStoring) => {
		jest.spyOn(binaryData, 'store').mockImplementationOnce(async (...file) => {
			isStoring();
			await released;
			return await store(...file);
		});
		first = workflow.poll();
	});
	await clock.pass(29 * 60_000);
	expect(await workflow.poll()).toEqual([]);
	await clock.pass(60_000);
	expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	expect(warnings.join()).toContain('A poll has not ended for half an hour');
	const memory = workflow.memory();
	release!();
	expect(await first).toEqual([]);
	expect(workflow.memory()).toBe(memory);
});

test('a list that takes half an hour to read is an error, and nothing is lost', async () => {
	watching.service.configure({ pagination: { order: 'newest' } });
	const newestFirst = watchAssets({ newestFirst: true, pageSize: 2 });
	const workflow = await watching.activateWorkflow(newestFirst);
	const added = watching.service.addAssets(300);
	watching.service.injectFault({
		when: () => {
			jest.advanceTimersByTime(15_000);
			return false;
		},
	});
	const { message, description } = await getError(workflow.poll());
	expect(message).toBe('The list of assets could not be read within half an hour');
	expect(description).toContain('Set a larger Page Size');
	watching.service.clearFaults();
	expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
});

describe('the error says what to do', () => {
	it('if the API key is wrong, without the key itself', async () => {
		const workflow = await watching.createWorkflow();
		workflow.credentials.apiKey = 'a-wrong-key';
		const error = await getError(workflow.activate());
		expect(getErrorText(error)).toBe(
			'The service rejected the API key (401): The header x-api-key holds no valid API key. Check API Key and Base URL in the credential. Each address has its own key, and so does the fast branch.',
		);
		expect(error.httpCode).toBe('401');
		expect(watching.countPagesRead()).toBe(1);
		expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('a-wrong-key');
	});

	it.each<[string, INodeParameters, object, string]>([
		['the credential has no API key', {}, { apiKey: undefined }, 'API Key is empty'],
		['Base URL is not a URL', {}, { baseUrl: 'garbage' }, 'Base URL is not a URL'],
		['an expression is invalid', { nameContains: '={{ nope( }}' }, {}, 'invalid syntax'],
	])('if %s, and no request is sent', async (_what, filters, credentials, words) => {
		const workflow = await watching.createWorkflow(watchAssets({}, filters));
		Object.assign(workflow.credentials, credentials);
		expect(getErrorText(await getError(workflow.activate()))).toContain(words);
		expect(watching.service.requests).toEqual([]);
	});
});
