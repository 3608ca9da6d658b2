import { Readable } from 'node:stream';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { fetchPages } from '../../../nodes/AvatarStudio/client/list';
import { assetList } from '../../../nodes/AvatarStudio/resources/asset/asset';
import type { Fault, PaginationOptions, RecordedRequest } from '../../../service/service';
import { useClock } from '../../support/clock';
import { getError, getErrorText, warnings } from '../../support/engine/engine';
import { createTriggerWorkflow } from '../../support/engine/triggerWorkflow';
import { createLocator, getAllAssets, getAsset, getAssets } from '../../support/parameters';
import { startRawHost } from '../../support/rawHost';
import { drainInFlight } from '../../support/requests';
import { useStudio } from '../../support/studio';
import { watchAssets } from '../../support/trigger';

afterEach(async () => await drainInFlight(studio));
const studio = useStudio({ seed: false });

const listAssets = (limit?: number, options: INodeParameters = {}) =>
	limit === undefined ? getAllAssets(options) : getAssets({ limit, options });

/** Runs Get Many with this many assets and returns the emitted ones. */
async function many(
	count: number,
	pagination: PaginationOptions,
	...wanted: Parameters<typeof listAssets>
) {
	studio.service.configure({ pagination, listedAssetFields: 'minimal' });
	const stored = studio.service.addAssets(count).map(({ id }) => id);
	const { json } = await studio.run(listAssets(...wanted));
	return { stored, emitted: json.map(({ id }) => id as string) };
}

test.each([
	[305, 500],
	[99, 500],
	[305, 404],
])(
	'a page 0 that breaks is no sign of a list that begins at page 1 (%i assets, %i)',
	async (count, status) => {
		studio.service.configure({ pagination: { firstPage: 0 } });
		studio.service.addAssets(count);
		const when = ({ query }: RecordedRequest) => query.Page === '0';
		studio.service.injectFault({ when, status });
		const { json, error } = await studio.getOutcome(listAssets());

		expect(json).toEqual([]);
		expect(error?.message).toContain(`(${status})`);
	},
);

const FAILS_FROM = [400, 404, 422, 'empty'].flatMap((how) =>
	[1, 2, 3, 5].map((count) => [count, how] as const),
);

test.each(FAILS_FROM)(
	'a list whose pages fail after %i requests is an error (%s), never a part of it',
	async (count, how) => {
		studio.service.configure({ pagination: { firstPage: 0 } });
		studio.service.addAssets(350);
		const when = () => studio.service.requests.length > count;
		const fault = typeof how === 'number' ? { status: how } : { body: { assets: [] } };
		studio.service.injectFault({ when, ...fault });
		const { json, error } = await studio.getOutcome(listAssets());

		expect(json).toEqual([]);
		const problem = how === 'empty' ? 'The list changed each time it was read' : `(${how})`;
		expect(error?.message).toContain(problem);
	},
);

function getRequestedPages(): number[] {
	return studio.service.requests.map(({ query }) => Number(query.Page)).filter((page) => page >= 0);
}

// Through the node each convention once; pagingModel.test.ts combines them with sizes, faults and ends.
describe('I get every asset exactly once from a service that', () => {
	it.each<[string, PaginationOptions]>([
		['counts pages from 0', { firstPage: 0 }],
		['counts from 1 and treats page 0 as page 1', { firstPage: 1, pageZero: 'sameAsFirst' }],
		['counts from 1 and refuses page 0', { firstPage: 1, pageZero: 400 }],
		['counts from 1 and returns nothing for page 0', { firstPage: 1, pageZero: 'empty' }],
		['caps the page size at 30', { firstPage: 1, maxPageSize: 30 }],
		['ignores pagination and always returns the whole list', { ignored: true }],
		['repeats the last page forever', { firstPage: 0, pageBeyondLast: 'last' }],
		['refuses pages after the last', { firstPage: 0, pageBeyondLast: 404 }],
	])('%s', async (_name, pagination) => {
		const { stored, emitted } = await many(250, pagination);
		expect(emitted).toEqual(stored);
	});

	it('accepts no page size but mine', async () => {
		const isOther = ({ query }: RecordedRequest) => ![undefined, '100'].includes(query.PageSize);
		studio.service.injectFault({ when: isOther, status: 400 });
		const { stored, emitted } = await many(250, { firstPage: 0 });
		expect(emitted).toEqual(stored);
	});

	it.each<[string, Fault]>([
		['fails', { status: 500 }],
		['refuses', { status: 404 }],
		['has an empty list', { body: { assets: [] } }],
		['has an empty body', { body: '' }],
	])('%s once, on the first page', async (_name, fault) => {
		studio.service.injectFault({ ...fault, times: 1 });
		const { stored, emitted } = await many(100, { firstPage: 0 });
		expect(emitted.sort()).toEqual(stored.sort());
	});
});

test('A service that refuses pages of more than 50 is asked for less, whoever reads the list', async () => {
	const refusedAbove = { pageSize: 50, status: 422 };
	const { stored, emitted } = await many(250, { firstPage: 1, pageZero: 400, refusedAbove });
	const named = { assetId: createLocator(studio.service.assets[249]!.name, 'name') };
	const { json } = await studio.run(getAsset('', named));
	const trigger = await createTriggerWorkflow(watchAssets(), studio.credentials);
	await trigger.activate();
	const [added] = studio.service.addAssets(1);
	const started = await trigger.poll();

	expect(emitted).toEqual(stored);
	expect(json.map(({ id }) => id)).toEqual(stored.slice(-1));
	expect(started.map(({ json: { id } }) => id)).toEqual([added!.id]);
	const refused = studio.service.requests.filter(({ query }) => Number(query.PageSize) > 50);
	// Each page twice for each of five readings: one run, one name, and the trigger's three.
	expect(refused).toHaveLength(5 * 4);
});

describe('an empty account, if the service refuses every page of an empty list,', () => {
	const refuses = { when: { path: '/v1/assets' }, body: { message: 'No such page' } };

	it.each([400, 404, 416, 422])('has no assets (%i), and n8n’s log says why', async (emptyList) => {
		for (const options of [{}, { firstPage: '0' }, { firstPage: '1' }]) {
			const { emitted } = await many(0, { emptyList }, undefined, options);
			expect(emitted).toEqual([]);
		}
		expect(warnings).toHaveLength(3);
		expect(warnings[0]).toContain('the list counts as empty');
		expect(warnings[0]).toContain(`(${emptyList}): There are no records`);
	});

	it('has no assets even if page 0 causes a server error', async () => {
		studio.service.injectFault({ when: ({ query }) => query.Page === '0', status: 500 });
		const { emitted } = await many(0, { emptyList: 404 });
		expect(emitted).toEqual([]);
	});

	it.each([404, 500])('causes an error if the address is wrong (%i)', async (status) => {
		studio.service.injectFault({ status });
		const error = await getError(many(0, {}));

		expect(error.httpCode).toBe(String(status));
		expect(warnings).toEqual([]);
	});

	it('causes an error if only the list of assets fails', async () => {
		studio.service.injectFault({ ...refuses, status: 500 });
		for (const firstPage of ['auto', '0', '1']) {
			const error = await getError(many(0, {}, undefined, { firstPage }));

			expect(error.httpCode).toBe('500');
		}
		expect(warnings).toEqual([]);
	});

	it('is empty without a warning if one of the refusals was a fault', async () => {
		studio.service.injectFault({ ...refuses, status: 404, times: 1 });
		const { emitted } = await many(0, { firstPage: 0, pageBeyondLast: 404 });
		expect(emitted).toEqual([]);
		expect(warnings).toEqual([]);
	});
});

describe('no request continues after the node has finished', () => {
	const LONGER_THAN_A_BACK_OFF = 10_000;
	const clock = useClock();

	it('even if pages were prefetched', async () => {
		const isBeyond = ({ query }: RecordedRequest) =>
			(Number(query.Page) - 1) * Number(query.PageSize) >= 250;
		studio.service.injectFault({ when: isBeyond, hang: true });
		const { emitted } = await many(250, { firstPage: 1 }, undefined, { firstPage: '1' });
		await studio.service.waitUntilIdle();
		expect(emitted).toHaveLength(250);
	});

	it('even if prefetched pages are being retried', async () => {
		const isAhead = ({ query }: RecordedRequest) => Number(query.Page) >= 3;
		studio.service.injectFault({ when: isAhead, status: 503 });
		studio.service.injectFault({ when: ({ query }) => query.Page === '2', status: 403 });
		const error = await getError(many(500, { firstPage: 0 }));
		await drainInFlight(studio);
		const requests = getRequestedPages();
		await clock.pass(LONGER_THAN_A_BACK_OFF);
		await drainInFlight(studio);

		expect(error.httpCode).toBe('403');
		expect(getRequestedPages()).toEqual(requests);
	});
});

describe('a limit', () => {
	it.each<[number, string, PaginationOptions, pages: number[]]>([
		[1, 'the first page is 0', { firstPage: 0 }, [0]],
		[100, 'the first page is 0', { firstPage: 0 }, [0]],
		[100, 'page 0 is the same as page 1', { pageZero: 'sameAsFirst' }, [0]],
		// Page 0 again, in case a service that counts from 0 failed once.
		[100, 'page 0 is empty', { pageZero: 'empty' }, [0, 1, 0]],
		[250, 'the first page is 0', { firstPage: 0 }, [0, 1, 2]],
	])('of %i takes no more pages than it must if %s', async (limit, _what, pagination, pages) => {
		studio.service.configure({ latencyMs: 10 });
		const { emitted } = await many(500, pagination, limit);

		expect(emitted).toHaveLength(limit);
		expect(getRequestedPages()).toEqual(pages);
		expect(studio.service.peakInFlight).toBe(1);
	});

	it('below the page size requests no more than the limit', async () => {
		await many(500, { firstPage: 0 }, 7);

		expect(studio.service.requests[0]!.query).toEqual({ Page: '0', PageSize: '7' });
	});
});

describe('Return All', () => {
	it.each<[string, PaginationOptions]>([
		['there are many', { firstPage: 0 }],
		['the service caps the page size', { firstPage: 1, maxPageSize: 25 }],
	])('has four pages in flight if %s', async (_what, pagination) => {
		studio.service.configure({ latencyMs: 20 });
		const { emitted } = await many(500, pagination);

		expect(emitted).toHaveLength(500);
		expect(studio.service.peakInFlight).toBe(4);
	});

	it('requests no more than my page size', async () => {
		const pagination = { firstPage: 0, maxPageSize: 1000 } as const;
		const { emitted } = await many(30, pagination, undefined, { pageSize: 10 });

		expect(emitted).toHaveLength(30);
		const sizes = studio.service.requests.map(({ query }) => Number(query.PageSize));
		expect(sizes[0]).toBe(10);
		expect(Math.max(...sizes)).toBe(10);
	});

	it('fails if the service lists in a different order at every request', async () => {
		const error = await getError(many(500, { firstPage: 0, order: 'shuffled' }));
		expect(error.message).toContain('The list changed each time it was read');
		expect(getErrorText(error)).toContain('Page Size');
	});
});

describe('First Page', () => {
	it.each<[number, PaginationOptions]>([
		[0, { firstPage: 0 }],
		[1, { firstPage: 1, pageZero: 400 }],
	])('set to %i starts there', async (firstPage, pagination) => {
		const options = { firstPage: String(firstPage) };
		const { stored, emitted } = await many(250, pagination, undefined, options);

		expect(emitted).toEqual(stored);
		expect(getRequestedPages()[0]).toBe(firstPage);
		expect(Math.min(...getRequestedPages())).toBe(firstPage);
	});

	it('set to 0 shows me the refusal of a service that counts from 1', async () => {
		const error = await getError(many(10, { pageZero: 400 }, undefined, { firstPage: '0' }));

		expect(getErrorText(error)).toContain('Page must be 1 or more');
		expect(error.httpCode).toBe('400');
	});
});

describe('a list that cannot be read to its end is an error, never a partial list', () => {
	const fourth: Fault['when'] = ({ query }) => query.Page === '3';

	it.each<[number, string, Fault['when']]>([
		[500, 'the fourth page', fourth],
		[403, 'the fourth page', fourth],
		[409, 'the fourth page', fourth],
		[403, 'every page', {}],
		[500, 'every page', {}],
		[400, 'every page', {}],
	])('with status %i on %s', async (status, _which, when) => {
		studio.service.injectFault({ when, status });
		const error = await getError(many(500, { firstPage: 0 }));
		expect(error.httpCode).toBe(String(status));
	});

	it.each([400, 416])('if the service returns no more than 300 assets (%i)', async (status) => {
		const maxRecords = { count: 300, status };
		const error = await getError(many(301, { firstPage: 0, maxRecords }));
		expect(error.httpCode).toBe(String(status));
		expect(getErrorText(error)).toContain('Only 300 records can be read');
	});
});

describe('assets without an ID', () => {
	it.each([{}, { id: null }, { id: '' }])('are kept, once each: %j', async (id) => {
		const assets = [{ name: 'a' }, { name: 'b' }, { name: 'a', extra: 1 }].map((asset) => ({
			...asset,
			...id,
		}));
		studio.service.injectFault({ body: { assets } });
		const { json } = await studio.run(getAllAssets());

		expect(json).toEqual(assets);
	});

	it('whose links change are kept, once each', async () => {
		const links = Array.from({ length: 30 }, (_, index) => `https://example.com/${index}`);
		const host = await startRawHost((request, response) => {
			const { searchParams } = new URL(request.url!, host.url);
			const [page, size] = ['Page', 'PageSize'].map((name) => Number(searchParams.get(name)));
			const assets = links
				.slice(page! * size!, (page! + 1) * size!)
				.map((link) => ({ name: 'Portrait', url: `${link}?signature=${host.requests}` }));
			response.setHeader('content-type', 'application/json').end(JSON.stringify({ assets }));
		});
		const credentials = { ...studio.credentials, baseUrl: host.url };
		const { json } = await studio.run(getAllAssets({ pageSize: 10 }), { credentials });

		expect(json.map(({ url }) => (url as string).split('?')[0])).toEqual(links);
	});
});

describe('a list that is longer than a node can read', () => {
	/** Runs Get Many on a host whose pages have so many assets, each page the next ones or the same. */
	const readLong = async (length: number, areNext: boolean, parameters = getAllAssets()) => {
		const host = await startRawHost((request, response) => {
			const page = Number(new URL(request.url!, host.url).searchParams.get('Page'));
			const first = areNext ? page * length : 0;
			const assets = Array.from({ length }, (_, index) => ({
				id: `asset ${first + index}`,
				name: 'a',
			}));
			response.setHeader('content-type', 'application/json').end(JSON.stringify({ assets }));
		});
		const credentials = { ...studio.credentials, baseUrl: host.url };
		const outcome = await studio.getOutcome(parameters, { credentials });
		return { ...outcome, requests: host.requests };
	};

	it('is returned up to 100,000 assets', async () => {
		const { items } = await readLong(100_000, false);
		expect(items).toHaveLength(100_000);
	});

	it('is a clear error above, not a stack overflow', async () => {
		const { error } = await readLong(100_001, false);
		expect(getErrorText(error)).toContain('100,000');
		expect(getErrorText(error)).toContain('Limit');
	});

	it('is an error after 100,000 assets that do not match my filter', async () => {
		const filters = { nameContains: 'none' };
		const { error, requests } = await readLong(30_000, true, getAssets({ limit: 1, filters }));

		expect(getErrorText(error)).toContain('more than 100,000 assets, the most the node reads');
		expect(requests).toBeLessThan(12);
	});

	it.each<[string, string, number, (request: number) => IDataObject[]]>([
		['one short record', '5,000 pages of', 5_010, (id) => [{ id }]],
		['one long record', '64 MB of', 14, (id) => [{ id, name: 'x'.repeat(7_500_000) }]],
		[
			'a record of empty lists',
			'2,000,000 values of',
			12,
			(id) => [{ id, tags: Array<[]>(240_000).fill([]) }],
		],
	])('is an error if each page brings %s more', async (_what, limit, mostRequests, respond) => {
		let requests = 0;
		const client = {
			request: async (_request: object, read: (response: object) => Promise<unknown>) => {
				const body = Readable.from([Buffer.from(JSON.stringify(respond(++requests)))]);
				return await read({ status: 200, headers: {}, body, timeout: 60_000 });
			},
		};
		const read = async () => {
			// As after a filter that no record matches: nobody counts what is kept.
			for await (const page of fetchPages(client as never, assetList)) void page;
		};

		await expect(read()).rejects.toThrow(`There are more than ${limit} assets, the most the node`);
		expect(requests).toBeLessThan(mostRequests);
	});
});
