import { inspect } from 'node:util';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';

import { forgetRateLimits } from '../../nodes/AvatarStudio/client/limiter/rateLimiters';
import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { getError, getErrorText, warnings } from '../support/engine/engine';
import { findUnusedAddress } from '../support/rawHost';
import {
	createVoice,
	getIds,
	getItemIds,
	useTrigger,
	watchAssets,
	watchVoices,
} from '../support/trigger';

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
const isRefusal = (failure: PollFailure | undefined) => failure?.cause === 'rate-limited';
/** n8n polls again once the delay requested by the service is over. */
const passRetryAfter = async (failure: PollFailure | undefined) =>
	await clock.pass(failure?.retryAfterMs ?? 0);

const page = { headers: { 'content-type': 'text/html' }, body: '<title>Under maintenance</title>' };
const faults: [string, Fault, PollFailure | undefined][] = [
	[
		'429 with Retry-After',
		{ status: 429, headers: { 'retry-after': '120' } },
		{ cause: 'rate-limited', retryAfterMs: 120_000 },
	],
	['429', { status: 429 }, { cause: 'rate-limited' }],
	['500', { status: 500 }, { cause: 'temporarily-unavailable' }],
	['502', { status: 502 }, { cause: 'temporarily-unavailable' }],
	['503', { status: 503 }, { cause: 'temporarily-unavailable' }],
	[
		'503 with Retry-After',
		{ status: 503, headers: { 'retry-after': '90' } },
		{ cause: 'temporarily-unavailable', retryAfterMs: 90_000 },
	],
	[
		'a connection that is dropped',
		{ disconnect: 'beforeResponse' },
		{ cause: 'temporarily-unavailable' },
	],
	['a truncated response', { disconnect: 'midBody' }, { cause: 'temporarily-unavailable' }],
	['a web page', page, undefined],
];
/** Each fault on one of three pages, and two kinds of them on every page. */
const getPages = (name: string) =>
	['503', 'a web page'].includes(name)
		? ['1', '2', '3']
		: [String((faults.findIndex(([fault]) => fault === name) % 3) + 1)];

describe.each(faults)('a poll that encounters %s', (name, fault, failure) => {
	it.each(getPages(name))(
		'on page %s emits and forgets nothing, and the next one catches up',
		async (number) => {
			const workflow = await watching.activateWorkflow(
				watchAssets({ pageSize: 4, firstPage: '1' }),
			);
			const added = watching.service.addAssets(5);
			const memory = workflow.memory();
			const when = { path: '/v1/assets' };
			watching.service.injectFault({
				...fault,
				when: ({ path, query }) => path === when.path && query.Page === number,
			});

			// Refused polls are an error after an hour without a successful one.
			if (isRefusal(failure)) await clock.pass(HOUR_MS);
			const started = Date.now();
			const error = await getError(workflow.poll());
			expect(Date.now() - started).toBeLessThan(POLL_MS);
			expect(error.name).toBe('NodeApiError');
			expect(error.failure).toEqual(failure);
			expect(workflow.memory()).toBe(memory);

			const { service } = watching;
			const { assets } = service;
			service.reset();
			service.assets = assets;
			await passRetryAfter(failure);
			expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
			expect(await workflow.poll()).toEqual([]);
		},
	);

	it('for voices emits nothing, and the next one catches up', async () => {
		const workflow = await watching.activateWorkflow(watchVoices());
		const voice = createVoice(watching.service.voices, 'amber');
		const memory = workflow.memory();
		watching.service.injectFault(fault);
		if (isRefusal(failure)) await clock.pass(HOUR_MS);
		expect((await getError(workflow.poll())).failure).toEqual(failure);
		expect(workflow.memory()).toBe(memory);
		watching.service.reset();
		watching.service.voices = [...watching.service.voices, voice];
		await passRetryAfter(failure);
		expect(await workflow.poll()).toMatchObject([{ json: { voiceId: voice.voiceId } }]);
	});
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

test('a poll without a connection emits nothing, and the next one catches up', async () => {
	const workflow = await watching.activateWorkflow();
	const added = watching.service.addAssets(2);
	const memory = workflow.memory();
	const { url } = await findUnusedAddress();
	workflow.credentials.baseUrl = url;
	const started = Date.now();
	const error = await getError(workflow.poll());
	expect(Date.now() - started).toBeLessThan(POLL_MS);
	expect(getErrorText(error)).toContain('The service did not respond at its address');
	expect(getErrorText(error)).toContain('Check Base URL');
	expect(error.failure).toEqual({ cause: 'temporarily-unavailable' });
	expect(workflow.memory()).toBe(memory);
	workflow.credentials.baseUrl = watching.service.url;
	expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
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

test('a poll recovers from a single failure', async () => {
	const workflow = await watching.activateWorkflow();
	const added = watching.service.addAssets(1);
	watching.service.injectFault({ status: 503, times: 1 });
	expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
});

test('polls that fail for a day lose nothing', async () => {
	const workflow = await watching.activateWorkflow();
	const added: string[] = [];
	for (let round = 0; round < 10; round++) {
		watching.service.injectFault({ status: 503, headers: { 'retry-after': '60' }, times: 1 });
		added.push(...getIds(watching.service.addAssets(2)));
		await getError(workflow.poll());
		await clock.pass(60_000);
	}
	expect(getItemIds(await workflow.poll())).toEqual(added);
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

	it.each([
		['the credential has no API key', { apiKey: undefined }, 'API Key is empty'],
		['Base URL is not a URL', { baseUrl: 'garbage' }, 'Base URL is not a URL'],
	])('if %s, and no request is sent', async (_what, credentials, words) => {
		const workflow = await watching.createWorkflow();
		Object.assign(workflow.credentials, credentials);
		expect(getErrorText(await getError(workflow.activate()))).toContain(words);
		expect(watching.service.requests).toEqual([]);
	});

	it("if an expression in a field is invalid, with n8n's message", async () => {
		const workflow = await watching.createWorkflow(
			watchAssets({}, { nameContains: '={{ nope( }}' }),
		);
		const { message } = await getError(workflow.activate());
		expect(message).toContain('invalid syntax');
		expect(watching.service.requests).toEqual([]);
	});

	it('if Base URL leads elsewhere', async () => {
		const workflow = await watching.createWorkflow();
		workflow.credentials.baseUrl = `${watching.service.url}/elsewhere`;
		const error = await getError(workflow.activate());
		expect(getErrorText(error)).toContain('nothing at this address (404)');
		expect(getErrorText(error)).toContain('Check Base URL in the credential');
		watching.service.requests.length = 0;
	});
});
