import type { Fault } from '../../service/service';
import { useStudio } from '../engine/studio';

import { useClock } from './clock';
import {
	createSpeech,
	getAsset,
	getAssets,
	renameAsset,
	scripts,
	withIds,
	within,
} from './parameters';
import { deadAddress } from './rawHost';

const studio = useStudio();
const clock = useClock();
beforeEach(() => clock.run(100));

const ID = '123e4567-e89b-12d3-a456-426614174000';

/** What a person reads for each status, and a word of what to do about it. */
const STATUSES: [number, RegExp, RegExp][] = [
	[400, /did not accept/, /correct/i],
	[401, /API key/, /credential/],
	[402, /payment/, /plan/],
	[403, /may not/, /plan/],
	[404, /found nothing/, /ID/],
	[405, /does not offer/, /Base URL/],
	[409, /collides/, /again/],
	[413, /larger/, /shorten/i],
	[415, /kind of content/, /Base URL/],
	[418, /did not accept/, /values/],
	[422, /value/, /correct/i],
	[429, /too many requests/, /fewer items/],
	[500, /could not/, /later/],
	[501, /could not/, /later/],
	[502, /could not/, /later/],
	[503, /not available/, /later/],
	[504, /could not/, /later/],
];

describe('what I read of a status', () => {
	it.each(STATUSES)('%i says what happened and what to do', async (status, happened, next) => {
		studio.service.injectFault({ status, body: { message: 'Words of the service' } });
		const { error, items } = await studio.run(getAsset(ID));

		expect(items).toEqual([]);
		expect(error?.message).toMatch(happened);
		expect(error?.message).toMatch(next);
		expect(error?.message).toContain(`(${status})`);
		expect(error?.message).toContain('Words of the service');
		expect(error?.httpCode).toBe(String(status));
		expect(error?.name).toBe('NodeApiError');
	});

	it.each(STATUSES)('%i is complete without words of the service', async (status, happened) => {
		studio.service.injectFault({ status, body: '' });
		const { error } = await studio.run(createSpeech('Hello'));

		expect(error?.message).toMatch(happened);
		expect(error?.message).not.toMatch(/undefined|null|\[object|: \.|\.\.|\s\s/);
		expect(error?.httpCode).toBe(String(status));
	});

	it('a wrong key is sent once', async () => {
		const { error } = await studio.run(getAsset(ID), {
			credentials: { ...studio.credentials, apiKey: 'wrong' },
		});

		expect(error?.httpCode).toBe('401');
		expect(studio.routes()).toHaveLength(1);
	});
});

describe('the words of the service', () => {
	const json = (body: object): Fault => ({ body });
	const typed = (type: string, body: string): Fault => ({
		body,
		headers: { 'content-type': type },
	});
	it.each<[string, Fault, string[]]>([
		[
			'title and detail',
			json({ type: 'about:blank', title: 'Invalid', detail: 'Script is long' }),
			['Script is long'],
		],
		['title', json({ title: 'Invalid' }), ['Invalid']],
		['message', json({ message: 'No voice' }), ['No voice']],
		['error.message', json({ error: { message: 'No voice', code: 7 } }), ['No voice']],
		['error', json({ error: 'No voice' }), ['No voice']],
		['error and description', json({ error: 'bad', description: 'No voice' }), ['No voice']],
		['errors as a list of texts', json({ errors: ['One', 'Two'] }), ['One', 'Two']],
		[
			'errors as a list of objects',
			json({ errors: [{ message: 'One' }, { detail: 'Two' }] }),
			['One', 'Two'],
		],
		[
			'errors by field',
			json({ title: 'Invalid', errors: { script: ['Too long', 'Too loud'], voiceId: 'No' } }),
			['Invalid', 'script: Too long; Too loud', 'voiceId: No'],
		],
		[
			'errors by field, nested',
			json({ error: { errors: { script: [{ message: 'Too long' }] } } }),
			['script', 'Too long'],
		],
		['a list', json([{ message: 'One' }, { message: 'Two' }]), ['One', 'Two']],
		['a text in JSON', typed('application/json', '"No voice"'), ['No voice']],
		['a web page', typed('text/html', '<html><title>Sign in</title><p>Hi</html>'), ['Sign in']],
		[
			'a web page without a title',
			typed('text/html', '<html><style>p {}</style><h1>Bad\n gateway</h1></html>'),
			['Bad gateway'],
		],
		['plain text', typed('text/plain', '  No voice.\n'), ['No voice']],
		['JSON that calls itself text', typed('text/plain', '{"message":"No voice"}'), ['No voice']],
		['broken JSON', typed('application/json', '{"message":"No voi'), ['No voi']],
		['problem+json', typed('application/problem+json', '{"detail":"No voice"}'), ['No voice']],
	])('reach me out of %s', async (_shape, fault, words) => {
		studio.service.injectFault({ ...fault, status: 422 });
		const { error } = await studio.run(createSpeech('Hello'));

		for (const word of words) expect(error?.message).toContain(word);
		expect(error?.message).not.toMatch(/<|\[object|undefined/);
		expect(error?.httpCode).toBe('422');
	});

	it('are cut where they are endless, and the status is told all the same', async () => {
		const body = { message: 'Much ado. '.repeat(500_000) };
		studio.service.injectFault({ status: 422, body });
		const { error } = await studio.run(createSpeech('Hello'));

		expect(error?.message).toContain('Much ado');
		expect(error?.message.length).toBeLessThan(1_000);
		expect(error?.httpCode).toBe('422');
	});

	it('stay when they hold a word that n8n has a message of its own for', async () => {
		for (const word of ['preexisting', 'ECONNREFUSED', 'ETIMEDOUT', 'EEXIST']) {
			studio.service.injectFault({ times: 1, status: 409, body: { message: `A ${word} name` } });
			const { error } = await studio.run(renameAsset(ID));

			expect(error?.message).toContain(`A ${word} name`);
			expect(error?.message).toContain('collides');
		}
	});

	it('are whole in the description, where they are JSON', async () => {
		studio.service.injectFault({ status: 422, body: { message: 'No', more: { deep: [1] } } });
		const { error } = await studio.run(createSpeech('Hello'));

		expect(JSON.parse(error!.description!)).toEqual({ message: 'No', more: { deep: [1] } });
	});

	it('that break off halfway do not hide the status', async () => {
		studio.service.injectFault({
			status: 422,
			body: { message: 'No voice' },
			disconnect: 'midBody',
		});
		const { error } = await studio.run(createSpeech('Hello'));

		expect(error?.httpCode).toBe('422');
	});
});

describe('a failure without a status', () => {
	const to = (baseUrl: string) => ({ credentials: { baseUrl, apiKey: 'demo-key' } });

	it('refused: names Base URL', async () => {
		const { error } = await studio.run(getAsset(ID), to((await deadAddress()).url));

		expect(error?.message).toContain('Nothing answers at the address');
		expect(error?.message).toContain('Base URL');
		expect(error?.httpCode).toBeNull();
	});

	it('lookup failed: says that the host is not known', async () => {
		const { error } = await studio.run(getAsset(ID), to('https://studio.invalid'));

		expect(error?.message).toMatch(/host of the service (is not known|could not be looked up)/);
	});

	it('reset: says that the connection broke off', async () => {
		studio.service.injectFault({ disconnect: 'beforeResponse' });
		const { error } = await studio.run(getAsset(ID));

		expect(error?.message).toContain('connection to the service broke off');
	});

	it('timeout: reads as a timeout and names the option', async () => {
		studio.service.injectFault({ hang: true });
		const { error } = await studio.run(within(20_000, getAsset(ID)));

		expect(error?.message).toContain('did not answer in time');
		expect(error?.message).toContain('Timeout under Request Options');
	});

	it('TLS: says that the connection could not be secured, and is tried once', async () => {
		const address = studio.service.url.replace('http:', 'https:');
		const before = studio.service.connections;
		const { error } = await studio.run(getAsset(ID), to(address));

		expect(error?.message).toContain('could not be secured');
		expect(studio.service.connections - before).toBe(1);
		expect(studio.routes()).toHaveLength(0);
	});

	it('redirect elsewhere: names the address', async () => {
		studio.service.injectFault({ status: 302, headers: { location: 'https://example.com/a?b=c' } });
		const { error } = await studio.run(getAsset(ID));

		expect(error?.message).toContain('https://example.com/a');
		expect(error?.message).toContain('(302)');
		expect(error?.httpCode).toBe('302');
	});

	it.each([300, 304, 305])('%i without a Location is an error, too', async (status) => {
		studio.service.injectFault({ status });
		const { error } = await studio.run(getAsset(ID));

		expect(error?.httpCode).toBe(String(status));
	});

	it('not JSON though it says so: names Base URL', async () => {
		studio.service.injectFault({
			body: '{"assets": [',
			headers: { 'content-type': 'application/json' },
		});
		for (const parameters of [getAsset(ID), getAssets(), renameAsset(ID)]) {
			const { error } = await studio.run(parameters);

			expect(error?.message).toContain('not the JSON it should be');
			expect(error?.message).toContain('Base URL');
		}
	});

	it('a web page with status 200 is an error', async () => {
		studio.service.injectFault({
			body: '<title>Welcome to the hotel</title>',
			headers: { 'content-type': 'text/html; charset=utf-8' },
		});
		for (const parameters of [getAsset(ID), getAssets(), renameAsset(ID)]) {
			const { error } = await studio.run(parameters);

			expect(error?.message).toContain('web page');
			expect(error?.message).toContain('Welcome to the hotel');
		}
	});
});

describe('with several items', () => {
	it('the message names the item, the first is number 0', async () => {
		const [one] = studio.service.assets;
		const { error } = await studio.run(getAsset(), { items: withIds([one!, { id: ID }]) });

		expect(error?.message).toContain('[item 1]');
		expect(error?.context).toMatchObject({ itemIndex: 1 });
	});

	it('and one of them alone, the message names none', async () => {
		const { error } = await studio.run(getAsset(ID));

		expect(error?.message).not.toContain('[item');
	});
});

describe('with Continue', () => {
	const isBad = (index: number) => index % 7 === 3 || index === 0 || index === 999;

	/** 1,000 items with bad ones among them, each with a field that is not sent. */
	function sprinkled() {
		const stored = studio.service.addAssets(1_000);
		return stored.map(({ id }, index) => ({
			json: {
				id: isBad(index) ? `00000000-0000-4000-8000-${String(index).padStart(12, '0')}` : id,
				row: index,
			},
		}));
	}

	it('using error output, every failure carries its own input and its own link', async () => {
		const input = sprinkled();
		const { items, errorItems, error } = await studio.run(getAsset(), {
			items: input,
			settings: { onError: 'continueErrorOutput' },
		});
		const bad = input.filter(({ json }) => isBad(json.row));

		expect(error).toBeUndefined();
		expect(errorItems).toHaveLength(bad.length);
		expect(errorItems.map(({ json }) => json)).toEqual(
			bad.map(({ json }) => ({
				...json,
				error: expect.stringContaining(`[item ${json.row}]`),
				message: expect.stringContaining('found nothing'),
				details: expect.objectContaining({
					httpCode: 404,
					next: expect.stringContaining('ID'),
					words: expect.stringContaining(`There is no asset ${json.id}`),
				}),
			})),
		);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual(
			bad.map(({ json }) => ({ item: json.row })),
		);
		expect(items).toHaveLength(1_000 - bad.length);
		for (const { json, pairedItem } of items) {
			expect(json.id).toBe(input[(pairedItem as { item: number }).item]!.json.id);
		}
	});

	it('in the regular output, items stand in the order of the input', async () => {
		const input = sprinkled().slice(0, 100);
		const { items } = await studio.run(getAsset(), {
			items: input,
			settings: { onError: 'continueRegularOutput' },
		});

		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			input.map((_, index) => ({ item: index })),
		);
		expect(items.map(({ json }) => json.error !== undefined)).toEqual(
			input.map((_, index) => isBad(index)),
		);
		expect(items.filter(({ json }) => json.error).map(({ json }) => Object.keys(json))).toEqual(
			input.filter(({ json }) => isBad(json.row)).map(() => ['error', 'message', 'details']),
		);
	});

	it('a creation that may have been carried out says so in its item', async () => {
		studio.service.injectFault({
			disconnect: 'beforeResponse',
			skip: 1,
			times: 1,
			afterEffect: true,
		});
		const { errorItems, items } = await studio.run(createSpeech(), {
			items: scripts(3),
			settings: { onError: 'continueErrorOutput' },
		});

		expect(items).toHaveLength(2);
		expect(errorItems).toHaveLength(1);
		expect(errorItems[0]!.json.error).toContain('may exist');
		expect(errorItems[0]!.json.script).toMatch(/^Script/);
	});
});
