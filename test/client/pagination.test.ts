import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FetchPage } from '../../nodes/AvatarStudio/client/page';
import { paginate, type PageOptions } from '../../nodes/AvatarStudio/client/paginate';
import { RequestError } from '../../nodes/AvatarStudio/errors/userError';
import { getPage, type PaginationOptions } from '../../service/pagination';
import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { getError, getErrorText, searchList } from '../support/engine/engine';
import { TriggerWorkflow } from '../support/engine/triggerWorkflow';
import { optional } from '../support/optional';
import { getAllAssets, getAsset, getAssets } from '../support/parameters';
import { sendJson, startRawHost } from '../support/rawHost';
import { drainInFlight } from '../support/requests';
import { useStudio } from '../support/studio';
import { watchAssets } from '../support/trigger';

const REJECTIONS = [400, 404, 413, 416, 422];
const SIZE = 40;
const COUNTS = [0, 1, 39, 40, 41, 99, 100, 101, 250, 1000];

/** A list as a service holds it, and what happens while it is read. */
interface ListModel extends PaginationOptions {
	count: number;
	/** The request with this number fails once; without a status, its page is empty. */
	fault?: { request: number; status?: number };
	/** So many records are added when the request with this number arrives. */
	insert?: { request: number; count: number };
}

/** Reads the list of a model as Get Many does, without a server, to try thousands per minute. */
async function read(model: ListModel, options: Partial<PageOptions> = {}) {
	const { count, fault, insert, ...pagination } = model;
	let stored = Array.from({ length: count }, (_, index) => ({ id: `${index}` }));
	const throughout = stored.map(({ id }) => id);
	const requested: [number, number][] = [];
	const fetchPage: FetchPage = async (page, pageSize) => {
		const request = requested.push([page, pageSize]);
		if (request === insert?.request) {
			const added = Array.from({ length: insert.count }, (_, index) => ({ id: `new ${index}` }));
			stored = [...stored, ...added];
		}
		const wanted = { page: String(page), pageSize: String(pageSize) };
		const answer = getPage<IDataObject>(stored, wanted, pagination);
		await Promise.resolve();
		const isFaulty = request === fault?.request;
		if (isFaulty && fault.status === undefined) return [];
		if ('items' in answer && !isFaulty) return answer.items;
		const status = 'status' in answer ? answer.status : fault!.status;
		throw new RequestError(`Page ${page} is rejected`, '', { status });
	};
	const ids: unknown[] = [];
	let error: RequestError | undefined;
	try {
		const defaults = { size: SIZE, minSize: 10, firstNumber: 'auto', limit: Infinity } as const;
		for await (const page of paginate(fetchPage, { ...defaults, ...options })) {
			ids.push(...page.map(({ id }) => id));
		}
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) throw thrown;
		error = thrown;
	}
	return { ids, error: error?.message, hint: error?.hint, requested, throughout };
}

const CONVENTIONS: [string, PaginationOptions][] = [
	['counts from 0', { firstPage: 0 }],
	['counts from 1 and treats page 0 as page 1', { pageZero: 'sameAsFirst' }],
	['counts from 1 and has an empty page 0', { pageZero: 'empty' }],
	...[...REJECTIONS, 500].map((pageZero): [string, PaginationOptions] => {
		return [`counts from 1 and rejects page 0 with ${pageZero}`, { pageZero }];
	}),
	['caps the page size at 30', { firstPage: 0, maxPageSize: 30 }],
	['counts from 1 and caps the page size at 9', { pageZero: 404, maxPageSize: 9 }],
	['ignores pagination', { ignored: true }],
];
const ENDS = ['empty', 'last', ...REJECTIONS] as const;
const PAGE_ZEROS = ['sameAsFirst', 'empty', ...REJECTIONS, 500] as const;

describe.each(CONVENTIONS)('Of a service that %s,', (_name, pagination) => {
	it.each(ENDS)('I get each record once, however many (end: %s)', async (pageBeyondLast) => {
		for (const count of COUNTS) {
			const model = { ...pagination, count, pageBeyondLast };
			const { ids, error, throughout, requested } = await read(model);
			// It cannot be told from a wrong address, or a refused page size.
			const isEmpty = count === 0 && typeof pagination.pageZero === 'number';
			if (isEmpty && typeof pageBeyondLast === 'number') continue;
			expect({ count, ids, error }).toEqual({ count, ids: throughout, error: undefined });
			const pages = Math.ceil(count / Math.min(SIZE, pagination.maxPageSize ?? SIZE));
			expect(requested.length).toBeLessThanOrEqual(pages + 8);
		}
	});

	it('I get no more than my limit', async () => {
		for (const limit of [1, 39, 40, 41, 79, 80, 81, 250]) {
			const options = { limit, size: Math.min(SIZE, limit) };
			const { ids, throughout } = await read({ ...pagination, count: 250 }, options);
			expect(ids).toEqual(throughout.slice(0, limit));
		}
	});
});

describe('G4: An odd service', () => {
	const addInFront = (count: number, request: number): ListModel => {
		return { firstPage: 0, order: 'newest', insert: { request, count }, count: 200 };
	};
	const failOnce = (count: number, status?: number): ListModel => {
		return { firstPage: 0, fault: { request: 1, status }, pageBeyondLast: 404, count };
	};

	it.each<[string, ListModel, number]>([
		['adds a record in front', addInFront(1, 2), 12],
		['adds a page in front', addInFront(SIZE, 3), 12],
		['adds two pages in front', addInFront(2 * SIZE, 4), 14],
		['ignores pagination of a short list', { ignored: true, count: 30 }, 3],
		['has an empty page 0 once', failOnce(100), 8],
		['rejects page 0 once', failOnce(100, 500), 8],
		['rejects page 0 once and has no page 1', failOnce(39, 404), 6],
	])('that %s gives me each record', async (_what, model, most) => {
		const { ids, error, throughout, requested } = await read(model);

		expect(error).toBeUndefined();
		expect(throughout.filter((id) => !ids.includes(id))).toEqual([]);
		expect(new Set(ids).size).toBe(ids.length);
		expect(requested.length).toBeLessThanOrEqual(most);
	});

	it.each(REJECTIONS)('that only lets me read 120 records is an error (%i)', async (status) => {
		const maxRecords = { count: 120, status };
		for (const count of [121, 160, 250]) {
			const { error } = await read({ firstPage: 0, maxRecords, count });
			expect(error).toContain('is rejected');
		}
	});

	it.each(REJECTIONS)('that rejects a page in the middle once is an error (%i)', async (status) => {
		for (const request of [2, 3, 4, 5]) {
			const { error } = await read({ firstPage: 0, count: 250, fault: { request, status } });
			expect(error).toContain('is rejected');
		}
	});

	it('that rejects what is behind a page of equal records is an error', async () => {
		const fetchPage: FetchPage = async (page) => {
			if (page > 0) throw new RequestError('Rejected', '', { status: 404 });
			return await Promise.resolve([{ name: 'a' }, { name: 'a' }]);
		};
		const pages = paginate(fetchPage, { size: 2, firstNumber: 0, limit: Infinity });
		await pages.next();
		await expect(pages.next()).rejects.toThrow('Rejected');
	});

	it('that rejects pages after the last gives me 600 records in pages of 5, as it allows larger ones', async () => {
		const model = { firstPage: 0, pageBeyondLast: 404, maxPageSize: 10, count: 600 } as const;
		const { ids, error, throughout } = await read(model, { size: 5 });
		expect({ ids, error }).toEqual({ ids: throughout, error: undefined });
	});

	it('that only lets me read 6 records, in pages of at most 3, is an error', async () => {
		const maxRecords = { count: 6, status: 404 };
		const { error } = await read({ firstPage: 0, maxPageSize: 3, maxRecords, count: 9 });
		expect(error).toContain('is rejected');
	});

	it.each([1, 2, 3, 4])('that rejects pages after the last gives me pages of %i', async (size) => {
		for (const count of [1, 2, 3, 4, 5, 6]) {
			const model = { firstPage: 0, pageBeyondLast: 404, count } as const;
			const { ids, error, throughout } = await read(model, { size });
			expect({ count, ids, error }).toEqual({ count, ids: throughout, error: undefined });
		}
	});

	it.each(REJECTIONS)('that refuses a page size is an error that names it (%i)', async (status) => {
		const model = { refusedAbove: { pageSize: 30, status }, count: 100 };
		const { error, hint } = await read(model, { minSize: SIZE });
		expect(error).toContain('is rejected');
		expect(hint).toContain('Page Size');
	});
});

const between = (min: number, max: number) => fc.integer({ min, max });
const rejection = fc.constantFrom(...REJECTIONS);

/** Lists of which each record must come, or an error. */
const models: fc.Arbitrary<ListModel> = fc.record({
	count: fc.oneof(between(0, 3), between(0, 200)),
	firstPage: fc.constantFrom(0, 1),
	pageZero: fc.constantFrom(...PAGE_ZEROS),
	pageBeyondLast: fc.constantFrom(...ENDS),
	emptyList: optional(rejection, 3),
	maxPageSize: fc.oneof(fc.constant(1000), between(8, 50)),
	refusedAbove: optional(fc.record({ pageSize: between(1, 60), status: rejection }), 6),
	// An empty page 0 and a page 1 that is beyond it look like an empty list.
	maxRecords: optional(fc.record({ count: between(61, 150), status: rejection }), 4),
	ignored: fc.nat(19).map((nat) => nat === 0),
	order: fc.constantFrom('oldest', 'newest'),
	// Page 0 of a service that counts from 1 may fail; a later page that is empty once is an end.
	fault: optional(
		fc.record({ request: fc.constant(1), status: fc.constantFrom(...REJECTIONS, 500) }),
		3,
	),
	insert: optional(fc.record({ request: between(2, 8), count: between(1, 19) }), 3),
});

async function checkModel(model: ListModel, size: number, limit: number): Promise<void> {
	const options = { limit, size: Math.min(size, limit) };
	const { ids, error, throughout, requested } = await read(model, options);
	expect(new Set(ids).size).toBe(ids.length);
	expect(requested.length).toBeLessThan(300);
	const { maxRecords, refusedAbove, emptyList, insert, fault, count, pageZero } = model;
	const isOdd = [maxRecords, refusedAbove, emptyList, insert, fault].some(Boolean);
	if (error && (isOdd || (count === 0 && typeof pageZero === 'number'))) return;
	expect(error).toBeUndefined();
	const missing = throughout.filter((id) => !ids.includes(id));
	if (limit === Infinity) expect(missing).toEqual([]);
	expect(ids.length).toBeGreaterThanOrEqual(Math.min(limit, throughout.length));
	expect(ids.length).toBeLessThanOrEqual(limit);
}

test('Each record comes once, or there is an error, in random cases', async () => {
	const limits = optional(between(1, 170), 4).map((limit = Infinity) => limit);
	const property = fc.asyncProperty(models, between(20, 60), limits, checkModel);
	await expect(fc.assert(property, { numRuns: 3000, seed: 1 })).resolves.toBeUndefined();
});

describe('through the node', () => {
	afterEach(async () => await drainInFlight(studio));
	const studio = useStudio({ seed: false });

	const getPages = () =>
		studio.service.requests.map(({ query }) => Number(query.Page)).filter((page) => page >= 0);
	/** Runs Get Many with this many assets. */
	const many = async (count: number, pagination: PaginationOptions, get = getAllAssets()) => {
		studio.service.configure({ pagination, listedAssetFields: 'minimal' });
		const stored = studio.service.addAssets(count).map(({ id }) => id);
		const { json } = await studio.run(get);
		return { stored, emitted: json.map(({ id }) => id) };
	};
	/** Runs Get Many on a host that responds so to each request for a page. */
	const readHost = async (
		respond: (page: number, request: number, size: number) => IDataObject[],
		parameters = getAllAssets(),
	) => {
		const host = await startRawHost((request, response) => {
			const { searchParams } = new URL(request.url!, host.url);
			const [page, size] = ['Page', 'PageSize'].map((name) => Number(searchParams.get(name)));
			sendJson(response, { assets: respond(page!, host.requests, size!) });
		});
		return await studio.getOutcome(parameters, { credentials: host.credentials });
	};

	it.each<[number, string, PaginationOptions, pages: number[]]>([
		[1, 'the first page is 0', { firstPage: 0 }, [0]],
		[100, 'the first page is 0', { firstPage: 0 }, [0]],
		[100, 'page 0 is the same as page 1', { pageZero: 'sameAsFirst' }, [0]],
		[100, 'page 0 is empty', { pageZero: 'empty' }, [0, 1, 0]],
		[250, 'the first page is 0', { firstPage: 0 }, [0, 1, 2]],
	])('a limit of %i takes no more pages than it must if %s', async (limit, _what, how, pages) => {
		const { emitted } = await many(500, how, getAssets({ limit }));

		expect(emitted).toHaveLength(limit);
		expect(getPages().sort()).toEqual(pages.sort());
	});

	describe('the second time', () => {
		const clock = useClock({ runs: true });
		const limit50 = getAssets({ limit: 50 });

		it.each<[number, string, PaginationOptions, INodeParameters, first: string, second: string]>([
			[200, 'page 0 is empty, with Limit 50,', { pageZero: 'empty' }, limit50, '0 1 0', '1'],
			[200, 'page 0 is page 1, with Limit 50,', {}, limit50, '0', '0'],
			[200, 'page 0 is page 1,', {}, getAllAssets(), '0 1 2 3 4 5 6', '1 2 3'],
			[200, 'page 0 is rejected,', { pageZero: 404 }, getAllAssets(), '0 1 0 2 3 4 5 6', '1 2 3'],
			[250, 'the first page is 0,', { firstPage: 0 }, getAllAssets(), '0 1 2 3 4 5', '0 1 2 3'],
			[0, 'page 0 is empty,', { pageZero: 'empty' }, getAllAssets(), '0 1 0', '0 1 0'],
		])('%i assets, where %s take as few pages as they must', async (...row) => {
			const [count, , pagination, get, ...expected] = row;
			const pages: string[] = [];
			studio.service.configure({ pagination });
			studio.service.addAssets(count);
			for (let run = 0; run < 2; run++) {
				studio.service.requests.length = 0;
				await studio.run(get);
				await drainInFlight(studio);
				pages.push(getPages().join(' '));
			}
			expect(pages).toEqual(expected);
		});

		it('a smaller size of pages is known, but no Page Size of mine is reduced', async () => {
			const pagination = { pageZero: 400, refusedAbove: { pageSize: 50, status: 413 } };
			await many(120, pagination);
			studio.service.requests.length = 0;
			const { emitted } = await many(0, pagination);
			expect(emitted).toHaveLength(120);
			const sizes = studio.service.requests.map(({ query }) => query.PageSize);
			expect(new Set(sizes)).toEqual(new Set(['50']));
			await getError(many(0, pagination, getAllAssets({ pageSize: 60 })));
			expect(studio.service.requests.at(-1)!.query.PageSize).toBe('60');
		});

		it('a small Limit makes no small pages for others', async () => {
			await many(250, { pageZero: 'empty' }, limit50);
			studio.service.requests.length = 0;
			await many(0, { pageZero: 'empty' });
			const sizes = studio.service.requests.map(({ query }) => query.PageSize);
			expect(new Set(sizes)).toEqual(new Set(['100']));
		});

		it('a list that was empty may begin anywhere', async () => {
			const pagination = { firstPage: 0, pageBeyondLast: 'last' } as const;
			await many(0, pagination);
			const { stored, emitted } = await many(250, pagination);
			expect(emitted).toEqual(stored);
		});

		it('a list that is emptied is no longer known', async () => {
			await many(150, { pageZero: 'empty' });
			await drainInFlight(studio);
			studio.service.assets = [];
			studio.service.requests.length = 0;
			for (let run = 0; run < 2; run++) await many(0, { pageZero: 'empty' });
			expect(getPages()).toEqual([1, 0, 1, 0, 0, 1, 0]);
		});

		it('a list of one page, which the service repeats, may have grown', async () => {
			const pagination = { firstPage: 0, pageBeyondLast: 'last' } as const;
			const { stored } = await many(100, pagination);
			const { stored: added, emitted } = await many(100, pagination);
			expect(emitted).toEqual([...stored, ...added]);
		});

		it('what two faults made of the first page is found out again after an hour', async () => {
			const when: Fault['when'] = ({ query }) => query.Page === '0';
			studio.service.injectFault({ when, status: 500, times: 2 });
			const { stored, emitted } = await many(250, { firstPage: 0 });
			expect(emitted).toEqual(stored.slice(100));
			await clock.pass(1_800_000);
			expect((await many(0, { firstPage: 0 })).emitted).toEqual(stored.slice(100));
			await clock.pass(1_800_000);
			expect((await many(0, { firstPage: 0 })).emitted).toEqual(stored);
		});
	});

	it('10,000 assets take at most 110 requests, with four in flight', async () => {
		studio.service.configure({ latencyMs: 5 });
		const { stored, emitted } = await many(10_000, { firstPage: 0 });

		expect(emitted).toEqual(stored);
		expect(studio.service.requests.length).toBeLessThanOrEqual(110);
		expect(studio.service.peakInFlight).toBe(4);
	});

	it.each<[number, PaginationOptions]>([
		[0, { firstPage: 0 }],
		[1, { firstPage: 1, pageZero: 400 }],
	])('First Page set to %i starts there', async (firstPage, pagination) => {
		const parameters = getAllAssets({ firstPage: String(firstPage) });
		const { stored, emitted } = await many(250, pagination, parameters);

		expect(emitted).toEqual(stored);
		expect(Math.min(...getPages())).toBe(firstPage);
	});

	describe.each([
		[400, 50],
		[422, 20],
		[413, 10],
	])('of a service that rejects a large PageSize with %i, above %i', (status, pageSize) => {
		const pagination = { pageZero: 400, refusedAbove: { pageSize, status } };

		it('I get each record once', async () => {
			const { stored, emitted } = await many(120, pagination);
			expect(emitted).toEqual(stored);
		});

		it('I find an asset by its name, and in the list', async () => {
			studio.service.configure({ pagination });
			const [last] = studio.service.addAssets(120).slice(-1);
			const { json } = await studio.run(getAsset(last!.name));
			expect(json).toMatchObject([{ id: last!.id }]);
			const { results } = await searchList('searchAssets', studio.credentials, {
				text: last!.name,
			});
			expect(results).toMatchObject([{ value: last!.id }]);
		});

		it('the trigger starts', async () => {
			studio.service.configure({ pagination });
			studio.service.addAssets(120);
			expect(await new TriggerWorkflow(watchAssets(), studio.credentials).activate()).toEqual([]);
		});

		it('a Page Size that I set is all that is requested', async () => {
			const error = await getError(many(10, pagination, getAllAssets({ pageSize: 60 })));
			expect(getErrorText(error)).toContain('Set a smaller Page Size');
			const sizes = studio.service.requests.map(({ query }) => query.PageSize);
			expect(new Set(sizes)).toEqual(new Set(['60']));
		});
	});

	it('a first page that does not exist is requested in one size only', async () => {
		studio.service.injectFault({ status: 404 });
		await getError(studio.run(getAllAssets()));
		expect(getPages()).toEqual([0, 1, 0]);
	});

	it('First Page set to 0 shows me the refusal of a service that counts from 1', async () => {
		const error = await getError(many(10, { pageZero: 400 }, getAllAssets({ firstPage: '0' })));
		expect(getErrorText(error)).toMatch(/Page must be 1 or more.*First Page/);
	});

	it.each<[number, string, Fault['when']]>([
		[500, 'the fourth page', ({ query }) => query.Page === '3'],
		[403, 'the fourth page', ({ query }) => query.Page === '3'],
		[409, 'the fourth page', ({ query }) => query.Page === '3'],
		[404, 'the fourth page', ({ query }) => query.Page === '3'],
		[403, 'every page', {}],
		[500, 'every page', {}],
		[404, 'every page', {}],
	])('a status of %i on %s is an error, never a part of the list', async (status, _which, when) => {
		studio.service.injectFault({ when, status });
		const error = await getError(many(500, { firstPage: 0 }));
		expect(error.httpCode).toBe(String(status));
	});

	it.each([{}, { id: null }, { id: '' }])('assets without an ID come once each: %j', async (id) => {
		const names = [{ name: 'a' }, { name: 'b' }, { name: 'a', extra: 1 }];
		const assets = names.map((asset) => ({ ...asset, ...id }));
		const { json } = await readHost(() => assets);

		expect(json).toEqual(assets);
	});

	it('assets without an ID come once each though their links change', async () => {
		const { json } = await readHost(
			(page, request, size) =>
				Array.from({ length: Math.min(size, Math.max(0, 30 - page * size)) }, (_, index) => ({
					name: 'Portrait',
					url: `https://example.com/${page * size + index}?signature=${request}`,
				})),
			getAllAssets({ pageSize: 10 }),
		);
		expect(json).toHaveLength(30);
	});

	const ONE_OF_NONE = getAssets({ limit: 1, filters: { nameContains: 'none' } });
	const buildAssets = (length: number, page = 0) =>
		Array.from({ length }, (_, index) => ({ id: `asset ${page}-${index}`, name: 'a' }));

	it('a list of 100,000 assets is returned', async () => {
		const { items } = await readHost(() => buildAssets(100_000));
		expect(items).toHaveLength(100_000);
	});

	it.each<[string, Parameters<typeof readHost>]>([
		['more than 100,000 assets at once', [() => buildAssets(100_001)]],
		['too many assets, of which none matches', [(page) => buildAssets(30_000, page), ONE_OF_NONE]],
		['one asset per page', [(page) => [{ id: page }]]],
		['large assets without end', [(id) => [{ id, name: 'x'.repeat(7_500_000) }]]],
	])(
		'a list of %s is an error that says what to set',
		async (_what, host) => {
			const { error } = await readHost(...host);

			expect(getErrorText(error)).toContain('There are more assets than the node reads');
			expect(getErrorText(error)).toContain('Limit');
		},
		120_000,
	);
});
