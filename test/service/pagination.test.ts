import { startService, type PaginationOptions, type Service } from '../../service/service';

import { call } from './client';

describe('the list of 25 assets', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService({ seed: false });
	});
	afterAll(() => service.close());
	beforeEach(() => {
		service.reset();
		service.addAssets(25);
	});

	async function names(pagination: PaginationOptions, query: string): Promise<number[] | number> {
		service.configure({ pagination });
		const { status, json } = await call(service, 'GET', `/v1/assets${query}`);
		if (status !== 200) return status;
		return (json.assets as { name: string }[]).map(({ name }) => Number(name.slice(6)));
	}

	const first = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
	const second = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
	const last = [21, 22, 23, 24, 25];

	it.each<[string, PaginationOptions, string, number[] | number]>([
		['starts at page 1', {}, '?Page=1&PageSize=10', first],
		['goes on at page 2', {}, '?Page=2&PageSize=10', second],
		['ends with a shorter page', {}, '?Page=3&PageSize=10', last],
		['is empty after its end', {}, '?Page=4&PageSize=10', []],
		['can count from 0', { firstPage: 0 }, '?Page=0&PageSize=10', first],
		['can count from 0, then 1', { firstPage: 0 }, '?Page=1&PageSize=10', second],
		['takes page 0 as page 1', {}, '?Page=0&PageSize=10', first],
		['can refuse page 0', { pageZero: 'error' }, '?Page=0&PageSize=10', 400],
		['can answer nothing to page 0', { pageZero: 'empty' }, '?Page=0&PageSize=10', []],
		[
			'ignores that where it counts from 0',
			{ firstPage: 0, pageZero: 'error' },
			'?Page=0&PageSize=10',
			first,
		],
		['can cap the page size without a word', { maxPageSize: 10 }, '?Page=2&PageSize=100', second],
		['has a page size of its own', { defaultPageSize: 10 }, '', first],
		['has a first page of its own', { firstPage: 0, defaultPageSize: 10 }, '?PageSize=10', first],
		['can refuse a page after the end', { pageBeyondLast: 'error' }, '?Page=4&PageSize=10', 400],
		['can repeat its last page', { pageBeyondLast: 'last' }, '?Page=9&PageSize=10', last],
		[
			'can ignore pagination',
			{ ignored: true },
			'?Page=3&PageSize=10',
			[...first, ...second, ...last],
		],
		['refuses a page size of 0', {}, '?PageSize=0', 400],
		['refuses a negative page', { firstPage: 0 }, '?Page=-1', 400],
	])('%s (%j%s)', async (_name, pagination, query, expected) => {
		expect(await names(pagination, query)).toEqual(expected);
	});

	it('ends on a full page where the count is a multiple of the page size', async () => {
		expect(await names({ pageBeyondLast: 'error' }, '?Page=5&PageSize=5')).toEqual(last);
		expect(await names({ pageBeyondLast: 'error' }, '?Page=6&PageSize=5')).toBe(400);
	});

	it('answers the first page of an empty list in every convention', async () => {
		service.assets = [];

		expect(await names({ pageBeyondLast: 'error' }, '?Page=1')).toEqual([]);
		expect(await names({ pageBeyondLast: 'last' }, '?Page=7')).toEqual([]);
	});

	it('can come in another order at every request, the same in every run', async () => {
		const pagination: PaginationOptions = { order: 'shuffled' };
		const orders = [
			await names(pagination, '?PageSize=25'),
			await names(pagination, '?PageSize=25'),
		];
		service.reset();
		service.addAssets(25);
		const again = [
			await names(pagination, '?PageSize=25'),
			await names(pagination, '?PageSize=25'),
		];

		expect(orders[0]).not.toEqual(orders[1]);
		expect(again).toEqual(orders);
		expect([...(orders[0] as number[])].sort((a, b) => a - b)).toEqual([
			...first,
			...second,
			...last,
		]);
	});

	it('can be long: 10,000 assets are there at once', async () => {
		service.assets = [];
		const added = service.addAssets(10_000);

		expect(new Set(added.map(({ id }) => id)).size).toBe(10_000);
		expect(await names({}, '?Page=100&PageSize=100')).toHaveLength(100);
		expect(await names({}, '?Page=101&PageSize=100')).toEqual([]);
	});
});
