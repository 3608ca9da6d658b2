import { useClock } from '../../support/clock';
import {
	createIdItems,
	createScriptItems,
	createSpeeches,
	createVideo,
	getAllAssets,
	getAsset,
} from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

/** The scripts of all created speeches, which would show duplicates. */
const spoken = () => studio.service.speeches.map(({ script }) => script).sort();
const expected = (count: number) =>
	createScriptItems(count)
		.map(({ json }) => json.script)
		.sort();
const isRefused = () => studio.service.requests.map(({ responseStatus }) => responseStatus === 429);
const countRefused = () => isRefused().filter(Boolean).length;

describe('with any number of items,', () => {
	it('at most 50 requests are in flight, and 50 are', async () => {
		// Long enough for a busy machine to send the 50th before the first response.
		studio.service.configure({ latencyMs: 600 });
		const items = createIdItems(studio.service.addAssets(60));
		const { json } = await studio.run(getAsset(), { items });
		expect(json.map(({ id }) => id)).toEqual(items.map((item) => item.json.id));
		expect(studio.service.peakInFlight).toBe(50);
		expect(studio.getRoutes()).toHaveLength(60);
	});

	it('the pages that each item reads count as well', async () => {
		studio.service.configure({ latencyMs: 300, pagination: { firstPage: 0 } });
		studio.service.addAssets(15);
		const items = Array.from({ length: 15 }, () => ({ json: {} }));
		const { json } = await studio.run(getAllAssets({ pageSize: 5 }), { items });
		await studio.service.waitUntilIdle();
		expect(json).toHaveLength(15 * 20);
		expect(studio.service.peakInFlight).toBe(50);
	});

	it('the requests of all runs count together', async () => {
		studio.service.configure({ latencyMs: 300 });
		const items = createIdItems(studio.service.addAssets(40));
		await Promise.all([studio.run(getAsset(), { items }), studio.run(getAsset(), { items })]);

		// A run with nothing in flight may exceed the maximum by one.
		expect(studio.service.peakInFlight).toBeLessThanOrEqual(51);
	});

	it('requests to another account are counted separately', async () => {
		studio.service.configure({ latencyMs: 300 });
		const items = createIdItems(studio.service.addAssets(30));
		const credentials = {
			...studio.credentials,
			baseUrl: studio.service.url.replace('127.0.0.1', 'localhost'),
		};
		await Promise.all([
			studio.run(getAsset(), { items }),
			studio.run(getAsset(), { items, credentials }),
		]);

		expect(studio.service.peakInFlight).toBeGreaterThan(50);
	});
});

describe('a service that limits concurrent requests', () => {
	const clock = useClock();
	beforeEach(() => clock.run(50));
	// Latencies are real. With shorter ones, a request would be done before a sixth one arrives.

	it.each([5, 1])(
		'to %i at a time creates all of the speeches, each exactly once',
		async (concurrent) => {
			studio.service.configure({ latencyMs: 4 * concurrent, rateLimit: { concurrent } });
			const { json } = await studio.run(...createSpeeches(60));
			expect(json).toHaveLength(60);
			expect(spoken()).toEqual(expected(60));
			expect(countRefused()).toBeGreaterThan(0);
		},
	);

	it('receives fewer requests at a time after a 429', async () => {
		studio.service.configure({ latencyMs: 20, rateLimit: { concurrent: 5 } });
		await studio.run(...createSpeeches(120));

		// With a limiter that stayed at 50, nine of ten would be refused to the end; on a busy machine,
		// up to a third are anyway.
		expect(countRefused()).toBeGreaterThan(0);
		expect(countRefused()).toBeLessThan(80);
		expect(isRefused().slice(-60).filter(Boolean).length).toBeLessThan(30);
	});

	it('and sends a Retry-After of one second creates every video exactly once', async () => {
		studio.service.configure({ latencyMs: 20, rateLimit: { concurrent: 5, retryAfter: 1 } });
		await studio.run(createVideo({ videoTitle: '={{ $json.script }}' }), {
			items: createScriptItems(60),
		});
		const titles = studio.service.videos.map(({ videoTitle }) => videoTitle).sort();
		expect(titles).toEqual(expected(60));
		expect(countRefused()).toBeGreaterThan(0);
	});

	it('and sends a Retry-After of zero creates every speech exactly once', async () => {
		studio.service.configure({ latencyMs: 20, rateLimit: { concurrent: 5, retryAfter: 0 } });
		await studio.run(...createSpeeches(60));
		expect(spoken()).toEqual(expected(60));
		expect(countRefused()).toBeGreaterThan(0);
	});
});
