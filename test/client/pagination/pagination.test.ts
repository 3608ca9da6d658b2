import { Readable } from 'node:stream';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { fetchPages } from '../../../nodes/AvatarStudio/client/list';
import { assetList } from '../../../nodes/AvatarStudio/resources/asset/asset';
import type { Fault, PaginationOptions, RecordedRequest } from '../../../service/service';
import { useClock } from '../../support/clock';
import { getError, getErrorText, warnings } from '../../support/engine/engine';
import { createTriggerWorkflow } from '../../support/engine/triggerWorkflow';
import {
	createLocator,
	getAllAssets,
	getAsset,
	getAssets,
	getVoices,
} from '../../support/parameters';
import { startRawHost } from '../../support/rawHost';
import { drainInFlight } from '../../support/requests';
import { useStudio } from '../../support/studio';
import { watchAssets } from '../../support/trigger';

afterEach(async () => await drainInFlight(studio));
const studio = useStudio({ seed: false });

const CONVENTIONS: [string, PaginationOptions][] = [
	['counts pages from 0', { firstPage: 0 }],
	['counts from 1 and treats page 0 as page 1', { firstPage: 1, pageZero: 'sameAsFirst' }],
	['counts from 1 and refuses page 0', { firstPage: 1, pageZero: 400 }],
	['counts from 1 and returns nothing for page 0', { firstPage: 1, pageZero: 'empty' }],
	['caps the page size at 30 and counts from 0', { firstPage: 0, maxPageSize: 30 }],
	['caps the page size at 30 and treats page 0 as page 1', { firstPage: 1, maxPageSize: 30 }],
	['caps the page size at 30 and refuses page 0', { firstPage: 1, pageZero: 400, maxPageSize: 30 }],
	[
		'caps the page size at 30 and returns nothing for page 0',
		{ firstPage: 1, pageZero: 'empty', maxPageSize: 30 },
	],
	['ignores pagination and always returns the whole list', { ignored: true }],
];

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

test('a page 0 that breaks is no sign of a list that begins at page 1', async () => {
	studio.service.configure({ pagination: { firstPage: 0 } });
	studio.service.addAssets(305);
	const when = ({ query }: RecordedRequest) => query.Page === '0';
	studio.service.injectFault({ when, status: 500, times: 2 });
	const { json, error } = await studio.getOutcome(listAssets());

	expect(json).toEqual([]);
	expect(error?.message).toContain('(500)');
});

function getRequestedPages(): number[] {
	return studio.service.requests.map(({ query }) => Number(query.Page)).filter((page) => page >= 0);
}

// Through the node each convention once; pagingModel.test.ts combines them with sizes and ends.
describe('I get every asset exactly once from a service that', () => {
	it.each(CONVENTIONS)('%s', async (_name, pagination) => {
		const { stored, emitted } = await many(250, pagination);
		expect(emitted).toEqual(stored);
	});

	it('repeats the last page forever', async () => {
		const { stored, emitted } = await many(250, { firstPage: 0, pageBeyondLast: 'last' });
		expect(emitted).toEqual(stored);
	});

	it.each([
		[400, 0],
		[404, 0],
		[416, 0],
		[422, 0],
		[404, 250],
	])('refuses pages after the last with status %i and has %i assets', async (status, count) => {
		const { stored, emitted } = await many(count, { firstPage: 0, pageBeyondLast: status });
		expect(emitted).toEqual(stored);
	});
});

test.each([400, 422])(
	'a service that refuses pages of more than 50 (%i) is asked for less, whoever reads the list',
	async (status) => {
		const refusedAbove = { pageSize: 50, status };
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
	},
);

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

describe('a service that does not return more than 300 assets', () => {
	it.each([
		[400, 301],
		[404, 350],
		[416, 600],
		[422, 350],
	])('causes an error (%i) if I have %i, never a partial list', async (status, count) => {
		const maxRecords = { count: 300, status };
		const error = await getError(many(count, { firstPage: 0, maxRecords }));
		expect(error.httpCode).toBe(String(status));
		expect(getErrorText(error)).toContain('Only 300 records can be read');
	});
});

describe('a list is complete despite a temporary fault:', () => {
	const faults: [string, Fault][] = [
		['an error', { status: 500 }],
		['a refusal', { status: 404 }],
		['an empty list', { body: { assets: [] } }],
		['an empty body', { body: '' }],
	];
	it.each(faults)('%s on the first page', async (_name, fault) => {
		studio.service.injectFault({ ...fault, times: 1 });
		const { stored, emitted } = await many(100, { firstPage: 0 });
		expect(emitted.sort()).toEqual(stored.sort());
	});

	// At every request of every convention: see pagingModel.test.ts.
	it.each(faults.slice(1))('%s on a later page', async (_name, fault) => {
		studio.service.injectFault({ ...fault, skip: 2, times: 1 });
		const { stored, emitted } = await many(250, { firstPage: 0 });
		expect(emitted.sort()).toEqual(stored.sort());
	});
});

describe('a list is complete even if', () => {
	it('the service accepts no page size but mine', async () => {
		const isOther = ({ query }: RecordedRequest) => ![undefined, '100'].includes(query.PageSize);
		studio.service.injectFault({ when: isOther, status: 400 });
		const { stored, emitted } = await many(250, { firstPage: 0 });
		expect(emitted).toEqual(stored);
	});

	/** Changes the list when the request with this number arrives. */
	const changeAt = (request: number, change: () => void) => {
		let requests = 0;
		studio.service.injectFault({
			when: ({ path }) => {
				if (path === '/v1/assets' && ++requests === request) change();
				return false;
			},
		});
	};

	/** The IDs of a list that another does not contain. */
	const without = (ids: unknown[], others: unknown[]) => {
		const known = new Set(others);
		return ids.filter((id) => !known.has(id));
	};

	it('a page of assets is added in front', async () => {
		const pagination = { firstPage: 0, order: 'newest' } as const;
		changeAt(3, () => studio.service.addAssets(100));
		const { stored, emitted } = await many(500, pagination);
		expect(without(stored, emitted)).toEqual([]);
	});

	it('records of the first page are deleted', async () => {
		changeAt(3, () => (studio.service.assets = studio.service.assets.slice(3)));
		const { stored, emitted } = await many(500, { firstPage: 0 });
		expect(without(stored.slice(3), emitted)).toEqual([]);
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
	it.each([1, 50, 100])('of %i takes one request if the first page is 0', async (limit) => {
		const { emitted } = await many(500, { firstPage: 0 }, limit);

		expect(emitted).toHaveLength(limit);
		expect(getRequestedPages()).toEqual([0]);
	});

	it('of one page takes one request if page 0 is the same as page 1', async () => {
		await many(500, { pageZero: 'sameAsFirst' }, 100);

		expect(getRequestedPages()).toEqual([0]);
	});

	it('below the page size requests no more than the limit', async () => {
		await many(500, { firstPage: 0 }, 7);

		expect(studio.service.requests[0]!.query).toEqual({ Page: '0', PageSize: '7' });
	});

	it('that fits on one page never has two requests in flight', async () => {
		studio.service.configure({ latencyMs: 10 });
		await many(500, { pageZero: 'empty' }, 100);

		expect(studio.service.peakInFlight).toBe(1);
		// Page 0 again, in case a service that counts from 0 failed once.
		expect(getRequestedPages()).toEqual([0, 1, 0]);
	});

	it('of two and a half pages reads three pages', async () => {
		const { emitted } = await many(500, { firstPage: 0 }, 250);

		expect(emitted).toHaveLength(250);
		expect(getRequestedPages()).toEqual([0, 1, 2]);
	});
});

describe('Return All', () => {
	it('has four pages in flight if there are many', async () => {
		studio.service.configure({ latencyMs: 20 });
		await many(500, { firstPage: 0 });

		expect(studio.service.peakInFlight).toBe(4);
	});

	it('has four pages in flight even if the service caps the page size', async () => {
		studio.service.configure({ latencyMs: 20 });
		const { emitted } = await many(500, { firstPage: 1, maxPageSize: 25 });

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

	it('reads a page again if it fails temporarily', async () => {
		studio.service.injectFault({ when: ({ query }) => query.Page === '3', status: 503, times: 1 });
		const { stored, emitted } = await many(700, { firstPage: 0 });
		expect(emitted).toEqual(stored);
	});

	it('fails if the service lists in a different order at every request', async () => {
		const error = await getError(many(500, { firstPage: 0, order: 'shuffled' }));
		expect(error.message).toContain('The list changed each time it was read');
		expect(getErrorText(error)).toContain('Page Size');
	});

	it('emits an asset once if a new one moves it to the next page', async () => {
		const stored = studio.service.addAssets(250);
		studio.service.configure({ pagination: { firstPage: 0 }, listedAssetFields: 'minimal' });
		const pushed = { id: '00000000-0000-4000-8000-000000000000', name: 'New' };
		void studio.service.waitForRequest({ path: '/v1/assets' }).then(() => {
			// Before the second page is requested: the first response has not been sent yet.
			setImmediate(() => (studio.service.assets = [pushed, ...stored]));
		});
		const { json } = await studio.run(getAllAssets());
		const ids = json.map(({ id }) => id);

		expect(new Set(ids).size).toBe(ids.length);
		expect(ids).toEqual(expect.arrayContaining(stored.map(({ id }) => id)));
	});
});

describe('First Page', () => {
	it('set to 0 starts there and treats an empty page as the end', async () => {
		const { emitted } = await many(250, { firstPage: 0 }, undefined, { firstPage: '0' });
		expect(emitted).toHaveLength(250);
		expect(getRequestedPages()[0]).toBe(0);
	});

	it('set to 1 never requests page 0', async () => {
		const { stored, emitted } = await many(250, { firstPage: 1, pageZero: 400 }, undefined, {
			firstPage: '1',
		});

		expect(emitted).toEqual(stored);
		expect(getRequestedPages()[0]).toBe(1);
		expect(getRequestedPages()).not.toContain(0);
	});

	it('set to 0 shows me the refusal of a service that counts from 1', async () => {
		const error = await getError(many(10, { pageZero: 400 }, undefined, { firstPage: '0' }));

		expect(getErrorText(error)).toContain('Page must be 1 or more');
		expect(error.httpCode).toBe('400');
	});
});

describe('a list that cannot be read to its end is an error, never a partial list', () => {
	it.each([500, 403, 401, 405, 409, 501])('with status %i on the fourth page', async (status) => {
		studio.service.injectFault({ when: ({ query }) => query.Page === '3', status });
		const error = await getError(many(500, { firstPage: 0 }));
		expect(error.httpCode).toBe(String(status));
	});

	it.each([403, 401, 500, 400])('with status %i on every page', async (status) => {
		studio.service.injectFault({ status });
		const error = await getError(many(500, { firstPage: 0 }));
		expect(error.httpCode).toBe(String(status));
	});

	it('with a web page on the fourth page', async () => {
		studio.service.injectFault({
			when: ({ query }) => query.Page === '3',
			body: '<title>Sign in</title>',
			headers: { 'content-type': 'text/html' },
		});
		const error = await getError(many(500, { firstPage: 0 }));
		expect(getErrorText(error)).toContain('Sign in');
	});
});

describe('a list with an undocumented shape', () => {
	it('is read if the response is the list itself', async () => {
		const list = [{ id: 'a' }, { id: 'b' }];
		studio.service.injectFault({ body: list });
		const { json } = await studio.run(getAllAssets());

		expect(json).toEqual(list);
	});

	it('is empty if assets is null', async () => {
		studio.service.injectFault({ body: { assets: null } });
		const { json } = await studio.run(getAllAssets());
		expect(json).toEqual([]);
	});

	it.each([{ body: { items: [] } }, { body: { assets: { a: 1 } } }, { body: { assets: 'none' } }])(
		'is an error that says what is missing: $body',
		async ({ body }) => {
			studio.service.injectFault({ body });
			const error = await getError(studio.run(getAllAssets()));

			expect(getErrorText(error)).toContain('assets');
			expect(getErrorText(error)).toContain('Base URL');
		},
	);

	it.each([{}, { id: null }, { id: '' }])(
		'keeps assets without an ID, once each: %j',
		async (id) => {
			const assets = [{ name: 'a' }, { name: 'b' }, { name: 'a', extra: 1 }].map((asset) => ({
				...asset,
				...id,
			}));
			studio.service.injectFault({ body: { assets } });
			const { json } = await studio.run(getAllAssets());

			expect(json).toEqual(assets);
		},
	);

	it('keeps assets without an ID whose links change, once each', async () => {
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
		await host.close();

		expect(json.map(({ url }) => (url as string).split('?')[0])).toEqual(links);
	});
});

describe('voices', () => {
	it('are listed in full with one request', async () => {
		const { json } = await studio.run(getVoices({ returnAll: true, simplify: false }));

		expect(json.map(({ id }) => id)).toEqual(studio.service.voices.map(({ id }) => id));
		expect(studio.getRoutes()).toHaveLength(1);
	});

	it.each([1, 50])('are listed up to a limit of %i', async (limit) => {
		const { json } = await studio.run(getVoices({ limit, simplify: false }));

		expect(json.map(({ id }) => id)).toEqual(
			studio.service.voices.slice(0, limit).map(({ id }) => id),
		);
	});
});

/** Lists assets by their numbers, as many as `count` says, from number `page * offset` on. */
async function startHost(count: (pageSize: number) => number, offset: number) {
	const host = await startRawHost((request, response) => {
		const { searchParams } = new URL(request.url!, host.url);
		const first = Number(searchParams.get('Page')) * offset;
		const length = count(Number(searchParams.get('PageSize')));
		const assets = Array.from({ length }, (_, index) => ({ id: `asset ${first + index}` }));
		response.setHeader('content-type', 'application/json').end(JSON.stringify({ assets }));
	});
	return host;
}

describe('more assets than a node can return to n8n', () => {
	/** Runs Get Many on a service that always returns the whole list. */
	const getAll = async (count: number) => {
		const host = await startHost(() => count, 0);
		const credentials = { ...studio.credentials, baseUrl: host.url };
		const outcome = await studio.getOutcome(getAllAssets(), { credentials });
		await host.close();
		return outcome;
	};

	it('are returned up to 100,000', async () => {
		const { items } = await getAll(100_000);
		expect(items).toHaveLength(100_000);
	});

	it('cause a clear error, not a stack overflow', async () => {
		const { error } = await getAll(100_001);
		expect(getErrorText(error)).toContain('100,000');
		expect(getErrorText(error)).toContain('Limit');
	});
});

describe('a list that never ends', () => {
	it('is an error after 100,000 assets that do not match my filter', async () => {
		const host = await startHost(() => 30_000, 30_000);
		const credentials = { ...studio.credentials, baseUrl: host.url };
		const filters = { nameContains: 'none' };
		const error = await getError(studio.run(getAssets({ limit: 1, filters }), { credentials }));
		await host.close();

		expect(getErrorText(error)).toContain('more than 100,000 assets, the most the node reads');
		expect(host.requests).toBeLessThan(12);
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

	it('is read once if each page is the same', async () => {
		const host = await startHost((pageSize) => pageSize, 0);
		const credentials = { ...studio.credentials, baseUrl: host.url };
		const { json } = await studio.run(getAllAssets(), { credentials });
		await host.close();
		expect(json).toHaveLength(100);
		expect(host.requests).toBeLessThan(15);
	});
});
