import { createGzip } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';

import { useClock } from '../support/clock';
import { getError, getErrorText } from '../support/engine/engine';
import {
	addApiKey,
	createSpeech,
	createVideo,
	deleteAsset,
	downloadAsset,
	getAllAssets,
	getAsset,
	importAsset,
	updateAsset,
	withTimeout,
} from '../support/parameters';
import { type RawHost, startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
const ID = '123e4567-e89b-12d3-a456-426614174000';
const IN_TIME = 'did not respond in time';
const OPTION = 'Timeout under Request Options, in the Settings tab';

describe('without a Timeout,', () => {
	const clock = useClock();

	it.each<[string, INodeParameters, number]>([
		['Get', getAsset(ID), 60_000],
		['Get Many', getAllAssets(), 60_000],
		['Update', updateAsset(ID), 60_000],
		['Delete', deleteAsset(ID), 60_000],
		['the asset of a download', downloadAsset(ID), 60_000],
		['a speech', createSpeech(), 300_000],
		['a video', createVideo(), 300_000],
		['an import', importAsset({ fileUrl: 'https://example.com/a.png' }), 300_000],
		['Add API Key', addApiKey(), 300_000],
	])('%s has its default time limit: %#', async (_which, parameters, ms) => {
		clock.run(0);
		studio.service.injectFault({ hang: true, times: 1 });
		const run = studio.start(parameters);
		const request = await studio.service.waitForRequest();
		await clock.pass(ms - 1_000);
		await new Promise((resolve) => setImmediate(resolve));
		expect(request.clientAborted).toBeUndefined();
		await clock.pass(2_000);
		await studio.service.waitUntilIdle();
		await run.cancel();

		expect(request.clientAborted).toBe(true);
	});

	it('a late response within the time limit is accepted', async () => {
		clock.run(200);
		studio.service.injectFault({ latencyMs: 200 });
		await studio.run(getAsset(studio.service.assets[0]!.id));
		expect(studio.getRoutes()).toHaveLength(1);
	});
});

describe('with a Timeout,', () => {
	const clock = useClock();
	beforeEach(() => clock.run(50));

	it.each<[string, INodeParameters]>([
		['Get', getAsset(ID)],
		['Get Many', getAllAssets()],
		['Delete', deleteAsset(ID)],
		['a download', downloadAsset(ID)],
		['a speech', createSpeech()],
	])('%s ends after it and reports a timeout', async (_which, parameters) => {
		studio.service.injectFault({ hang: true });
		const error = await getError(studio.run(withTimeout(2_000, parameters)));
		const [first] = studio.service.requests;
		await studio.service.waitUntilIdle();

		expect(getErrorText(error)).toContain(IN_TIME);
		expect(getErrorText(error)).toContain(OPTION);
		expect(getErrorText(error)).not.toContain('aborted');
		expect(error.httpCode).toBeNull();
		expect(first!.clientAborted).toBe(true);
	});

	it('a slow response is accepted if the Timeout is longer than the default', async () => {
		clock.run(400);
		const { id } = studio.service.assets[0]!;
		// 120 seconds on this clock.
		studio.service.injectFault({ latencyMs: 300 });
		await studio.run(withTimeout(600_000, getAsset(id)));
		expect(studio.getRoutes()).toHaveLength(1);
	});

	it('the file of a download link has the same time limit', async () => {
		studio.service.injectFault({ when: { host: 'files' }, hang: true });
		const error = await getError(
			studio.run(withTimeout(2_000, downloadAsset(studio.service.assets[0]!.id))),
		);

		expect(getErrorText(error)).toContain(IN_TIME);
	});
});

describe('a response that stalls after it started', () => {
	let host: RawHost;
	afterEach(async () => await host.close());
	const STALL_MS = 80;
	const LONG_ENOUGH_MS = 10_000;

	const stalling = async (headers: Record<string, string>, packed = false) =>
		(host = await startRawHost((_request, response) => {
			response.writeHead(200, headers);
			if (packed) {
				const gzip = createGzip();
				gzip.pipe(response);
				gzip.write('{"id": "a", ');
				gzip.flush();
			} else {
				response.write('{"id": "a", ');
			}
		}));

	it.each([
		['uncompressed', { 'content-type': 'application/json' }, false],
		['compressed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, true],
		['with a length', { 'content-type': 'application/json', 'content-length': '100' }, false],
	])(
		'(%s) times out',
		async (_how, headers, packed) => {
			await stalling(headers, packed);
			const error = await getError(
				studio.run(withTimeout(STALL_MS, getAsset(ID)), {
					credentials: { baseUrl: host.url, apiKey: 'key' },
				}),
			);

			expect(getErrorText(error)).toContain(IN_TIME);
			expect(getErrorText(error)).toContain(OPTION);
		},
		LONG_ENOUGH_MS,
	);

	it(
		'times out in a speech, which may exist',
		async () => {
			await stalling({ 'content-type': 'audio/mpeg' });
			const error = await getError(
				studio.run(withTimeout(STALL_MS, createSpeech()), {
					credentials: { baseUrl: host.url, apiKey: 'key' },
				}),
			);

			expect(getErrorText(error)).toContain(IN_TIME);
			expect(getErrorText(error)).toContain('may exist');
			expect(host.requests).toBe(1);
		},
		LONG_ENOUGH_MS,
	);

	it(
		'times out in the file of a download',
		async () => {
			await stalling({ 'content-type': 'image/png', 'content-length': '1000' });
			studio.service.injectFault({ body: { id: ID, url: `${host.url}/a.png` } });
			// n8n's own timeout ends it, up to a tenth early: on a busy machine that must be long enough.
			const error = await getError(studio.run(withTimeout(500, downloadAsset(ID))));
			expect(getErrorText(error)).toContain(IN_TIME);
		},
		LONG_ENOUGH_MS,
	);

	it(
		'times out if it is a refusal, whose status is still reported',
		async () => {
			host = await startRawHost((_request, response) => {
				response.writeHead(422, { 'content-type': 'application/json' });
				response.write('{"message": "No voi');
			});
			const error = await getError(
				studio.run(withTimeout(STALL_MS, createSpeech()), {
					credentials: { baseUrl: host.url, apiKey: 'key' },
				}),
			);

			expect(error.httpCode).toBe('422');
		},
		LONG_ENOUGH_MS,
	);

	it.each([
		['a file is read to its end', 'audio/mpeg', true],
		['data times out as a whole', 'application/json', false],
	])('that is slow but keeps arriving: %s', async (_what, type, isRead) => {
		host = await startRawHost((_request, response) => {
			response.writeHead(200, { 'content-type': type });
			const parts = ['{"id"', ':', '"a"', ',"name"', ':', '"b"', '}'];
			const sending = setInterval(() => {
				const part = parts.shift();
				if (part !== undefined) return response.write(part);
				clearInterval(sending);
				return response.end();
			}, STALL_MS / 2);
		});
		const { error, items } = await studio.getOutcome(withTimeout(STALL_MS * 2, createSpeech()), {
			credentials: { baseUrl: host.url, apiKey: 'key' },
		});

		expect(items.map(({ json }) => json.fileSize)).toEqual(isRead ? ['21 B'] : []);
		expect(getErrorText(error)).toContain(isRead ? '' : IN_TIME);
	});
});
