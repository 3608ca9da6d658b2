import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { getError, getErrorText } from '../support/engine/engine';
import {
	createLocator,
	createSpeech,
	getAllAssets,
	getAsset,
	updateAsset,
	withTimeout,
} from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();
const clock = useClock();
beforeEach(() => clock.run(100));

const ID = '123e4567-e89b-12d3-a456-426614174000';

/** The message and the hint for each status. */
const STATUSES: [number, RegExp, RegExp][] = [
	[400, /rejected the request/, /correct/i],
	[401, /API key/, /credential/],
	[402, /payment/i, /plan/],
	[403, /not allowed/, /plan/],
	[404, /found nothing|did not find/, /ID/],
	[405, /does not support/, /Base URL/],
	[409, /conflicts/, /again/],
	[413, /too large/, /shorten/i],
	[415, /type of content/, /Base URL/],
	[418, /rejected the request/, /values/],
	[422, /rejected the request/, /correct/i],
	[429, /too many requests/, /other programs/],
	[500, /did not complete/, /later/],
	[501, /does not support/, /Base URL/],
	[502, /did not complete/, /later/],
	[503, /currently unavailable/, /later/],
	[504, /did not complete/, /later/],
];

/** For 429, of which there would otherwise be a hundred before the node gives up. */
const RARELY = { 'retry-after': '100' };

describe('a response with status', () => {
	it.each(STATUSES)('%i says what happened and what to do', async (status, happened, next) => {
		const body = { message: 'Words of the service' };
		studio.service.injectFault({ status, body, headers: RARELY });
		const error = await getError(studio.run(getAsset(ID)));
		expect(getErrorText(error)).toMatch(happened);
		expect(getErrorText(error)).toMatch(next);
		expect(getErrorText(error)).toContain(`(${status})`);
		expect(getErrorText(error)).toContain('Words of the service');
		expect(error.httpCode).toBe(String(status));
		expect(error.name).toBe('NodeApiError');
	});

	it.each(STATUSES)('%i is complete without a service message', async (status, happened) => {
		studio.service.injectFault({ status, body: '', headers: RARELY });
		const error = await getError(studio.run(createSpeech()));

		expect(getErrorText(error)).toMatch(happened);
		expect(getErrorText(error)).not.toMatch(/undefined|null|\[object|: \.|\.\.|\s\s/);
		expect(error.httpCode).toBe(String(status));
	});
});

describe("the service's message", () => {
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
		['errors as a list of strings', json({ errors: ['One', 'Two'] }), ['One', 'Two']],
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
			'violations',
			json({
				title: 'Invalid',
				violations: [{ propertyPath: 'script', message: 'Too long' }, { message: 'No voice' }],
			}),
			['Invalid', 'script: Too long', 'No voice'],
		],
		[
			'details with a list of locations',
			json({ detail: [{ loc: ['body', 'script'], msg: 'Too long', type: 'value_error' }] }),
			['body.script: Too long'],
		],
		[
			'errors by field, nested',
			json({ error: { errors: { script: [{ message: 'Too long' }] } } }),
			['script', 'Too long'],
		],
		['a list', json([{ message: 'One' }, { message: 'Two' }]), ['One', 'Two']],
		['a JSON string', typed('application/json', '"No voice"'), ['No voice']],
		['a web page', typed('text/html', '<html><title>Sign in</title><p>Hi</html>'), ['Sign in']],
		[
			'a web page without a title',
			typed('text/html', '<html><style>p {}</style><h1>Bad\n gateway</h1></html>'),
			['Bad gateway'],
		],
		['plain text', typed('text/plain', '  No voice.\n'), ['No voice']],
		['JSON declared as text', typed('text/plain', '{"message":"No voice"}'), ['No voice']],
		['broken JSON', typed('application/json', '{"message":"No voi'), ['No voi']],
		['JSON with a byte order mark', typed('application/json', '\uFEFF"No voice"'), [': No voice.']],
		['problem+json', typed('application/problem+json', '{"detail":"No voice"}'), ['No voice']],
	])('is extracted from %s', async (_shape, fault, words) => {
		studio.service.injectFault({ ...fault, status: 422 });
		const error = await getError(studio.run(createSpeech()));

		for (const word of words) expect(getErrorText(error)).toContain(word);
		expect(getErrorText(error)).not.toMatch(/<|\[object|undefined/);
		expect(error.httpCode).toBe('422');
	});

	it('is shortened if it is very long, and the status is still reported', async () => {
		const body = { message: 'Much ado. '.repeat(500_000) };
		studio.service.injectFault({ status: 422, body });
		const error = await getError(studio.run(createSpeech()));

		expect(getErrorText(error)).toContain('Much ado');
		expect(getErrorText(error).length).toBeLessThan(1_000);
		expect(error.httpCode).toBe('422');
	});

	it('is kept if it contains a word for which n8n has its own message', async () => {
		for (const word of ['preexisting', 'ECONNREFUSED', 'ETIMEDOUT', 'EEXIST']) {
			studio.service.injectFault({ times: 1, status: 409, body: { message: `A ${word} name` } });
			const error = await getError(studio.run(updateAsset(ID)));

			expect(getErrorText(error)).toContain(`A ${word} name`);
			expect(getErrorText(error)).toContain('conflicts');
		}
	});

	it.each([{ message: 'No', more: { deep: [1] } }, 'Bad gateway at edge 7'])(
		'is kept in full with the error: %j',
		async (body) => {
			studio.service.injectFault({ status: 422, body });
			const error = await getError(studio.run(createSpeech()));

			expect(error.context?.data).toEqual(body);
		},
	);

	it('does not hide the status if it breaks off halfway', async () => {
		studio.service.injectFault({
			status: 422,
			body: { message: 'No voice' },
			disconnect: 'midBody',
		});
		const error = await getError(studio.run(createSpeech()));

		expect(error.httpCode).toBe('422');
	});
});

describe('a failure without a status', () => {
	const to = (baseUrl: string) => ({ credentials: { baseUrl, apiKey: 'demo-key' } });

	it.each([
		['timeout', { hang: true }],
		['reset', { disconnect: 'beforeResponse' }],
	] as const)(
		'%s of a creation: warns that it may exist, and does not say to try again',
		async (_what, fault) => {
			studio.service.injectFault(fault);
			const error = await getError(studio.run(withTimeout(2_000, createSpeech())));

			expect(getErrorText(error)).toContain('The speech may exist anyway');
			expect(getErrorText(error)).not.toMatch(/try again/i);
		},
	);

	it('TLS: says that the connection is not secure, after one attempt', async () => {
		const address = studio.service.url.replace('http:', 'https:');
		const before = studio.service.connections;
		const error = await getError(studio.run(getAsset(ID), to(address)));

		expect(getErrorText(error)).toContain('is not secure');
		expect(studio.service.connections - before).toBe(1);
		expect(studio.getRoutes()).toHaveLength(0);
	});

	it.each([300, 304, 305])('%i without a Location is an error', async (status) => {
		studio.service.injectFault({ status });
		const error = await getError(studio.run(getAsset(ID)));

		expect(error.httpCode).toBe(String(status));
		expect(studio.service.requests).toHaveLength(1);
	});

	it('a refusal that names another address is not followed', async () => {
		studio.service.injectFault({ status: 404, headers: { location: '/v1/assets/other' } });
		const error = await getError(studio.run(getAsset(ID)));

		expect(error.httpCode).toBe('404');
		expect(studio.service.requests).toHaveLength(1);
	});

	it.each(['text/html; charset=utf-8', 'text/html, charset=utf-8', 'text/html, text/html'])(
		'a web page (%s) with status 200 is an error',
		async (type) => {
			studio.service.injectFault({
				body: '<title>Welcome to the hotel</title>',
				headers: { 'content-type': type },
			});
			const error = await getError(studio.run(getAsset(ID)));

			expect(getErrorText(error)).toContain('web page');
			expect(getErrorText(error)).toContain('Welcome to the hotel');
		},
	);
});

describe('message and description', () => {
	it('say what happened and what to do', async () => {
		studio.service.injectFault({ status: 402, body: { message: 'No credits left.' } });
		const error = await getError(studio.run(getAsset(ID)));

		expect(error.message).toBe('Payment is required (402): No credits left');
		expect(error.description).toBe(
			'Check the plan and the credits of the account in the studio application.',
		);
	});

	it('mention the address, not an ID, if a list is not found', async () => {
		studio.service.injectFault({ status: 404, body: '' });
		const error = await getError(studio.run(getAllAssets()));

		expect(error.message).toBe('The service found nothing at this address (404)');
		expect(error.description).toMatch(/^Check Base URL in the credential/);
	});

	it('say where to find a voice if the one I sent does not exist', async () => {
		const error = await getError(
			studio.run(createSpeech({ voiceId: createLocator('au-en-GB-nobody') })),
		);

		expect(error.message).toContain('There is no voice au-en-GB-nobody');
		expect(error.description).toMatch(/^Select a voice from the list/);
	});

	it('do not suggest repeating a creation that may have been carried out', async () => {
		studio.service.injectFault({ status: 500, body: '' });
		const error = await getError(studio.run(createSpeech()));

		expect(error.description).toMatch(/may exist anyway.* before you run this item again\.$/);
	});
});

test('On the error output, every failure of many items has its own input fields and link', async () => {
	const isBad = (index: number) => index % 7 === 3 || index === 0 || index === 99;
	const stored = studio.service.addAssets(100);
	const input = stored.map(({ id }, row) => ({
		json: { id: isBad(row) ? `00000000-0000-4000-8000-${String(row).padStart(12, '0')}` : id, row },
	}));
	const { items, errorItems } = await studio.run(getAsset(), {
		items: input,
		settings: { onError: 'continueErrorOutput' },
	});

	expect(errorItems).toEqual(
		input
			.filter(({ json }) => isBad(json.row))
			.map(({ json }) => ({
				json: {
					...json,
					error: expect.stringContaining(`[item ${json.row}]`),
					message: expect.stringContaining(`There is no asset ${json.id}`),
					nextStep: expect.stringContaining('ID'),
					httpCode: 404,
					code: 'notFound',
					mayExist: false,
				},
				pairedItem: { item: json.row },
			})),
	);
	expect(items).toHaveLength(100 - errorItems.length);
	for (const { json, pairedItem } of items) {
		expect(json.id).toBe(input[(pairedItem as { item: number }).item]!.json.id);
	}
});
