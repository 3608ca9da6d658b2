import type { INodeParameters } from 'n8n-workflow';

import { useClock } from '../../support/clock';
import {
	createIdItems,
	createScriptItems,
	createSpeeches,
	getAllAssets,
	getAsset,
} from '../../support/parameters';
import { startRawHost } from '../../support/rawHost';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test.each<[string, INodeParameters, items: number, assets: number, results: number]>([
	['assets', getAsset(), 60, 55, 60],
	['pages that each item reads', getAllAssets({ pageSize: 5 }), 15, 15, 15 * 20],
])(
	'At most 50 requests for %s are in flight, and 50 are',
	async (_what, parameters, count, assets, results) => {
		// Long enough for a busy machine to send the 50th before the first response.
		studio.service.configure({ latencyMs: 600, pagination: { firstPage: 0 } });
		studio.service.addAssets(assets);
		const items = createIdItems(studio.service.assets.slice(0, count));
		const { json } = await studio.run(parameters, { items });
		await studio.service.waitUntilIdle();
		expect(json).toHaveLength(results);
		expect(studio.service.peakInFlight).toBe(50);
	},
);

describe('A service that limits concurrent requests', () => {
	const clock = useClock();
	beforeEach(() => clock.run(50));

	// Latencies are real. With shorter ones, a request would be done before the next one arrives.
	it.each([
		['1 at a time', { concurrent: 1 }, 4],
		['5 at a time with a Retry-After of one second', { concurrent: 5, retryAfter: 1 }, 20],
	])('to %s creates each speech exactly once', async (_limit, rateLimit, latencyMs) => {
		studio.service.configure({ latencyMs, rateLimit });
		const { json } = await studio.run(...createSpeeches(60));
		const wanted = createScriptItems(60).map((item) => item.json.script);
		expect(json).toHaveLength(60);
		expect(studio.service.speeches.map(({ script }) => script).sort()).toEqual(wanted.sort());
		expect(studio.service.requests.some(({ responseStatus }) => responseStatus === 429)).toBe(true);
	});

	it('refuses hardly any once the node knows the limit', async () => {
		const isRefused: boolean[] = [];
		let active = 0;
		const host = await startRawHost((_request, response) => {
			isRefused.push(active >= 5);
			if (isRefused.at(-1)) return void response.writeHead(429).end();
			active++;
			// On the clock of the limiter, so that it learns the same on any machine.
			setTimeout(() => {
				active--;
				response.setHeader('content-type', 'application/json').end('{"id":"new"}');
			}, 1_000);
		});
		const credentials = { ...studio.credentials, baseUrl: host.url };
		const { json } = await studio.run(...createSpeeches(120, { credentials }));
		const countRefused = (some: boolean[]) => some.filter(Boolean).length;

		expect(json).toHaveLength(120);
		expect(countRefused(isRefused)).toBeLessThan(66);
		expect(countRefused(isRefused.slice(-60))).toBeLessThan(6);
	});
});
