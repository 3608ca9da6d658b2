import { gzipSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';

import { useClock } from '../support/clock';
import { getError, getErrorText } from '../support/engine/engine';
import {
	addApiKey,
	createSpeech,
	createVideo,
	downloadAsset,
	getAllAssets,
	getAsset,
	importAsset,
	SOME_ID,
	withTimeout,
} from '../support/parameters';
import { type RawHost, startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
const firstId = () => studio.service.assets[0]!.id;
const IN_TIME = 'did not respond in time';
const OPTION = 'Timeout under Request Options, in the Settings tab';

describe('without a Timeout,', () => {
	const clock = useClock();
	it.each<[string, INodeParameters, number]>([
		['Get', getAsset(SOME_ID), 60_000],
		['Get Many', getAllAssets(), 60_000],
		['the asset of a download', downloadAsset(SOME_ID), 60_000],
		['a speech', createSpeech(), 300_000],
		['a video', createVideo(), 300_000],
		['an import', importAsset({ fileUrl: 'https://example.com/a.png' }), 300_000],
		['Add API Key', addApiKey(), 300_000],
	])('%s has its default time limit: %#', async (_which, parameters, ms) => {
		clock.run();
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
});

describe('with a Timeout,', () => {
	useClock({ runs: true });

	it.each<[string, INodeParameters]>([
		['Get', getAsset(SOME_ID)],
		['Get Many', getAllAssets()],
		['a download', downloadAsset(SOME_ID)],
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

	it('the file of a download link has the same time limit', async () => {
		studio.service.injectFault({ when: { host: 'files' }, hang: true });
		const text = await studio.getFailure(withTimeout(2_000, downloadAsset(firstId())));

		expect(text).toContain(IN_TIME);
	});

	it('a slow response is accepted if the Timeout is longer than the default', async () => {
		studio.service.injectFault({ latencyMs: 120_000 });
		await studio.run(withTimeout(600_000, getAsset(firstId())));
		expect(studio.getRoutes()).toHaveLength(1);
	});
});

test('101 (Switching Protocols), which n8n waits behind for good, ends with the Timeout', async () => {
	const { credentials } = await startRawHost(({ socket }) => {
		const headers = 'connection: upgrade\r\nupgrade: x';
		socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n\r\n`);
	});
	const error = await getError(studio.run(withTimeout(100, createSpeech()), { credentials }));
	expect(getErrorText(error)).toContain(IN_TIME);
	expect(getErrorText(error)).toContain('may exist');
});

describe('a response that stalls after it started', () => {
	useClock({ runs: true });
	let host: RawHost;
	const runWithHost = async (parameters: INodeParameters) =>
		await studio.run(withTimeout(2_000, parameters), { credentials: host.credentials });

	const stall = async (type: string, status = 200, encoding = 'identity') =>
		(host = await startRawHost((_request, response) => {
			response.writeHead(status, { 'content-type': type, 'content-encoding': encoding });
			const body = '{"message": "No voi';
			const packed = gzipSync(body);
			response.write(encoding === 'gzip' ? packed.subarray(0, -8) : body);
		}));

	it.each(['identity', 'gzip'])('(%s) times out', async (encoding) => {
		await stall('application/json', 200, encoding);
		const error = await getError(runWithHost(getAsset(SOME_ID)));

		expect(getErrorText(error)).toContain(IN_TIME);
		expect(getErrorText(error)).toContain(OPTION);
	});

	it('times out in a speech, which may exist', async () => {
		await stall('audio/mpeg');
		const error = await getError(runWithHost(createSpeech()));

		expect(getErrorText(error)).toContain(IN_TIME);
		expect(getErrorText(error)).toContain('may exist');
		expect(host.requests).toBe(1);
	});

	it('times out if it is a refusal, whose status is still reported', async () => {
		await stall('application/json', 422);
		expect(await getError(runWithHost(createSpeech()))).toMatchObject({ httpCode: '422' });
	});

	/**
	 * Sends a letter ten times a second: endlessly, unless `length` is set.
	 *
	 * @returns a function that measures the time since the response started
	 */
	const sendSlowly = async (type: string, length = Infinity) => {
		let start: number;
		host = await startRawHost((_request, response) => {
			start = performance.now();
			let sent = 0;
			response.writeHead(200, { 'content-type': type });
			const sending = setInterval(() => {
				sent++;
				response.write('a');
				if (sent === length) response.end();
			}, 100);
			response.on('close', () => clearInterval(sending));
		});
		return () => performance.now() - start;
	};

	it('is read to its end if it is a file that keeps arriving', async () => {
		const getElapsedMs = await sendSlowly('audio/mpeg', 100);
		const { json } = await runWithHost(createSpeech());

		expect(json).toMatchObject([{ fileSize: '100 B' }]);
		expect(getElapsedMs()).toBeGreaterThan(2_000);
	});

	it('times out as a whole if it is data, even if timers fire early', async () => {
		const getElapsedMs = await sendSlowly('application/json');
		const { setTimeout: set } = globalThis;
		// Not a spy: Jest restores those once more after the file, when the clock is real again.
		globalThis.setTimeout = ((act: () => void, ms = 0) => set(act, ms - 1)) as typeof set;
		const error = await getError(runWithHost(createSpeech())).finally(() => {
			globalThis.setTimeout = set;
		});

		expect(getElapsedMs()).toBeLessThan(2_700);
		expect(getErrorText(error)).toContain(IN_TIME);
	});
});
