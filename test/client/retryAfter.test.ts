import type { RecordedRequest } from '../../service/service';
import { useClock } from '../support/clock';
import { getError, getErrorText } from '../support/engine/engine';
import {
	createIdItems,
	createScriptItems,
	createSpeech,
	createSpeeches,
	downloadAsset,
	getAsset,
	getAssets,
	ITEM_SCRIPT,
	SOME_ID,
} from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
/** Maximum time a request waits while the service refuses everything. */
const PATIENCE_MS = 900_000;

const firstId = () => studio.service.assets[0]!.id;
const getStartTimes = (requests: RecordedRequest[]) => requests.map(({ startedAt }) => startedAt);

describe('Retry-After', () => {
	const clock = useClock();

	it.each([
		['in seconds', () => '20'],
		['as a date', () => new Date(Date.now() + 20_500).toUTCString()],
	])('%s is respected', async (_how, retryAfter) => {
		clock.run(100);
		studio.service.injectFault({
			times: 1,
			status: 429,
			headers: { 'retry-after': retryAfter() },
		});
		await studio.run(createSpeech());
		const [first, second] = getStartTimes(studio.service.requests);
		expect(second! - first!).toBeGreaterThanOrEqual(19_000);
		expect(second! - first!).toBeLessThan(30_000);
		expect(studio.service.speeches).toHaveLength(1);
	});

	it.each([
		['429 to a POST', 429, createSpeech({ script: ITEM_SCRIPT })],
		['503 to a GET', 503, getAsset()],
	])('delays the whole run: %s', async (_case, status, parameters) => {
		clock.run(40);
		const assets = studio.service.addAssets(60);
		const items = createScriptItems(60).map(({ json }, index) => ({
			json: { ...json, id: assets[index]!.id },
		}));
		// One is refused while the other 49 are in flight.
		studio.service.injectFault({ times: 1, status, headers: { 'retry-after': '60' } });
		studio.service.injectFault({ times: 49, latencyMs: 100 });
		await studio.run(parameters, { items });
		const [refused] = studio.service.requests;
		const early = studio.service.requests.filter(
			({ startedAt }) => startedAt < refused!.startedAt + 58_000,
		);
		expect(early).toHaveLength(50);
		expect(studio.getRoutes()).toHaveLength(61);
	});

	it.each(['0.1', 'Wed, 21 Oct 2015 07:28:00 GMT'])(
		'of next to nothing (%s) does not shorten the back-off',
		async (retryAfter) => {
			clock.run(50);
			studio.service.injectFault({
				times: 6,
				status: 429,
				headers: { 'retry-after': retryAfter },
			});
			await studio.run(createSpeech());
			const starts = getStartTimes(studio.service.requests);
			expect(starts).toHaveLength(7);
			// The minimum of six back-offs.
			expect(starts[6]! - starts[0]!).toBeGreaterThan(1_500);
		},
	);

	it('of an hour fails immediately, and the error says why', async () => {
		// The clock is stopped: this would not return if anything were delayed.
		studio.service.injectFault({
			status: 429,
			headers: { 'retry-after': '3600' },
			body: { message: 'Daily quota used up' },
		});
		const { json } = await studio.run(createSpeech(), {
			settings: { onError: 'continueRegularOutput' },
		});

		expect(studio.getRoutes()).toHaveLength(1);
		expect(json).toMatchObject([{ code: 'rateLimited', mayExist: false, httpCode: 429 }]);
		expect(json[0]!.message).toContain('Daily quota used up');
		expect(json[0]!.nextStep).toContain('asks to wait for 60 min');
		expect(json[0]!.nextStep).toContain('waits for 15 min at most');
	});
});

describe('without Retry-After, the back-off', () => {
	const clock = useClock();
	beforeEach(() => clock.run(50));

	it('after a refusal grows with each attempt', async () => {
		studio.service.injectFault({ times: 10, status: 429 });
		await studio.run(createSpeech());
		const starts = getStartTimes(studio.service.requests);
		const pauses = starts.slice(1).map((start, index) => start - starts[index]!);
		expect(pauses).toHaveLength(10);
		expect(pauses[9]!).toBeGreaterThan(4 * pauses[1]!);
	});

	it('after a failure grows as well', async () => {
		studio.service.injectFault({ times: 3, status: 502 });
		await studio.run(getAsset(firstId()));
		const starts = getStartTimes(studio.service.requests);
		expect(starts).toHaveLength(4);
		// The minimum of three back-offs.
		expect(starts[3]! - starts[0]!).toBeGreaterThanOrEqual(1_050);
	});
});

describe('a service that refuses every request', () => {
	const clock = useClock();

	it.each([
		['causes an error after 15 minutes, and the message says so', {}, 45],
		['with a Retry-After does so too', { 'retry-after': '70' }, 14],
	])('%s', async (_what, headers, mostRequests) => {
		clock.run(200);
		studio.service.injectFault({ status: 429, headers, body: { message: 'Slow down' } });
		const error = await getError(studio.run(createSpeech()));
		const starts = getStartTimes(studio.service.requests);

		expect(starts.at(-1)! - starts[0]!).toBeGreaterThan(PATIENCE_MS * 0.8);
		expect(starts.at(-1)! - starts[0]!).toBeLessThan(PATIENCE_MS * 1.1);
		expect(starts.length).toBeLessThan(mostRequests);
		expect(getErrorText(error)).toMatch(/admitted no request for \d+ min/);
		expect(getErrorText(error)).toContain('Slow down');
		expect(getErrorText(error)).toContain('other programs');
		expect(error.httpCode).toBe('429');
	});

	it('behind a redirect also causes an error after 15 minutes', async () => {
		clock.run(100);
		const id = firstId();
		studio.service.injectFault({
			when: { path: new RegExp(`${id}$`) },
			status: 307,
			headers: { location: `/v1/assets/${SOME_ID}` },
		});
		studio.service.injectFault({ status: 429, headers: { 'retry-after': '50' } });
		const error = await getError(studio.run(getAsset(id)));

		expect(getErrorText(error)).toContain('admitted no request for');
		// Each attempt begins at the link.
		expect(studio.getRoutes().length).toBeLessThanOrEqual(2 * (PATIENCE_MS / 50_000 + 2));
	});

	it('that a download is redirected to also causes an error after 15 minutes', async () => {
		clock.run(100);
		const elsewhere = await startRawHost((_request, response) =>
			response.writeHead(429, { 'retry-after': '50' }).end(),
		);
		studio.service.injectFault({
			when: { host: 'files' },
			status: 302,
			headers: { location: elsewhere.url },
		});
		const error = await getError(studio.run(downloadAsset(firstId())));

		expect(error.httpCode).toBe('429');
		expect(elsewhere.requests).toBeGreaterThan(4);
		expect(elsewhere.requests).toBeLessThanOrEqual(PATIENCE_MS / 50_000 + 1);
	});

	it('fails all items of a run together, not one after the other', async () => {
		clock.run(500);
		const began = Date.now();
		studio.service.injectFault({ status: 429, headers: { 'retry-after': '60' } });
		const error = await getError(studio.run(...createSpeeches(60)));

		expect(getErrorText(error)).toMatch(/1[45] min/);
		expect(Date.now() - began).toBeLessThan(3 * PATIENCE_MS);
	});
});

describe('cancelling', () => {
	const clock = useClock();

	it.each([
		['a delay requested by the service', 1, { 'retry-after': '60' }, 1],
		['a back-off', 1, undefined, 1],
		['the delays of all items, including those in the queue,', 60, { 'retry-after': '60' }, 50],
	])('ends %s and nothing more is sent', async (_which, count, headers, sent) => {
		studio.service.injectFault({ status: 429, headers });
		const run = studio.start(...createSpeeches(count));
		const nextTurn = async () => await new Promise((resolve) => setImmediate(resolve));
		while (studio.service.requests.length < sent) await nextTurn();
		await studio.service.waitUntilIdle();
		// The wait starts shortly after the response was sent.
		while (clock.countTimers() === 0) await nextTurn();
		await run.cancel();
		await clock.pass(600_000);

		expect(studio.getRoutes()).toHaveLength(sent);
	});
});

describe('cancelling with requests in flight', () => {
	it('ends them', async () => {
		studio.service.injectFault({ hang: true });
		const items = createIdItems(studio.service.addAssets(60));
		const run = studio.start(getAsset(), { items });
		await studio.service.waitForRequest();
		await run.cancel();
		await studio.service.waitUntilIdle();

		expect(studio.service.requests.every(({ clientAborted }) => clientAborted)).toBe(true);
		expect(studio.service.requests.length).toBeLessThanOrEqual(50);
	});

	it('ends the request for a page of a list', async () => {
		studio.service.injectFault({ hang: true });
		const run = studio.start(getAssets());
		await studio.service.waitForRequest();
		await run.cancel();
		await studio.service.waitUntilIdle();

		expect(studio.service.requests).toMatchObject([{ clientAborted: true }]);
	});

	it.each([
		['that has not started', { hang: true }],
		['that is in progress', undefined],
	])('ends a download %s', async (_which, fault) => {
		const stalled = await startRawHost((_request, response) => {
			if (!fault) response.writeHead(200, { 'content-length': '1000' }).write('half a file');
			response.on('close', () => left());
			arrived();
		});
		let arrived!: () => void;
		let left!: () => void;
		const arrival = new Promise<void>((resolve) => (arrived = resolve));
		const leaving = new Promise<void>((resolve) => (left = resolve));
		const { id } = studio.service.assets[0]!;
		studio.service.injectFault({ body: { id, url: `${stalled.url}/file` } });
		const run = studio.start(downloadAsset(id));
		await arrival;
		const ended = run.cancel();
		const how = await Promise.race([
			Promise.all([ended, leaving]).then(() => 'at once'),
			new Promise((resolve) => setTimeout(resolve, 3_000, 'not within 3 seconds')),
		]);
		await ended;

		expect(how).toBe('at once');
		expect(stalled.requests).toBe(1);
	});
});
