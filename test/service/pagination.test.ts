import type { PaginationOptions } from '../../service/service';

import { call, useService } from './client';

const api = useService({ seed: false });

beforeEach(() => void api.service.addAssets(25));

/** Numbers of the listed assets, or the status of an error. */
async function list(pagination: PaginationOptions, query: string): Promise<number[] | number> {
	api.service.configure({ pagination });
	const { status, json } = await call(api.service, 'GET', `/v1/assets${query}`);
	return status === 200 ? json.assets.map(({ name }) => Number(name.slice(6))) : status;
}

const first = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const second = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
const last = [21, 22, 23, 24, 25];
const all = [...first, ...second, ...last];

test.each<[string, PaginationOptions, string, number[] | number]>([
	['Page 1 is the first one', {}, '?Page=1&PageSize=10', first],
	['Page 2 continues it', {}, '?Page=2&PageSize=10', second],
	['The last page is shorter', {}, '?Page=3&PageSize=10', last],
	['A page beyond the last is empty', {}, '?Page=4&PageSize=10', []],
	['Page 0 can be the first one', { firstPage: 0 }, '?Page=0&PageSize=10', first],
	['Page 1 can be the second one', { firstPage: 0 }, '?Page=1&PageSize=10', second],
	['Page 0 is the same as page 1', {}, '?Page=0&PageSize=10', first],
	['Page 0 can be refused', { pageZero: 400 }, '?Page=0&PageSize=10', 400],
	['Page 0 can be empty', { pageZero: 'empty' }, '?Page=0&PageSize=10', []],
	[
		'Page 0 is never refused if it is the first one',
		{ firstPage: 0, pageZero: 400 },
		'?Page=0&PageSize=10',
		first,
	],
	['The page size can be capped', { maxPageSize: 10 }, '?Page=2&PageSize=100', second],
	['The default page size is 20', {}, '', [...first, ...second]],
	['The default page is the first one', { firstPage: 0 }, '?PageSize=10', first],
	['A page beyond the last can be refused', { pageBeyondLast: 404 }, '?Page=4&PageSize=10', 404],
	[
		'A page beyond the last can be the last',
		{ pageBeyondLast: 'last' },
		'?Page=9&PageSize=10',
		last,
	],
	[
		'Records up to a maximum can be read',
		{ maxRecords: { count: 20, status: 422 } },
		'?Page=2&PageSize=10',
		second,
	],
	[
		'Records beyond a maximum can be refused',
		{ maxRecords: { count: 20, status: 422 } },
		'?Page=3&PageSize=10',
		422,
	],
	['Pagination can be ignored', { ignored: true }, '?Page=3&PageSize=10', all],
	['The newest can come first', { order: 'newest' }, '?PageSize=5', [...last].reverse()],
	['A page size of 0 is refused', {}, '?PageSize=0', 400],
	['A negative page is refused', { firstPage: 0 }, '?Page=-1', 400],
])('%s (%j%s)', async (_name, pagination, query, expected) => {
	expect(await list(pagination, query)).toEqual(expected);
});

test('A full last page is the last one', async () => {
	expect(await list({ pageBeyondLast: 400 }, '?Page=5&PageSize=5')).toEqual(last);
	expect(await list({ pageBeyondLast: 400 }, '?Page=6&PageSize=5')).toBe(400);
});

test('The first page of an empty list is never beyond the last', async () => {
	api.service.assets = [];

	expect(await list({ pageBeyondLast: 400 }, '?Page=1')).toEqual([]);
	expect(await list({ pageBeyondLast: 'last' }, '?Page=7')).toEqual([]);
});

test('A shuffled list has a new order for every request, but the same ones in every run', async () => {
	const listTwice = async () => [
		await list({ order: 'shuffled' }, '?PageSize=25'),
		await list({ order: 'shuffled' }, '?PageSize=25'),
	];
	const orders = await listTwice();
	api.service.reset();
	api.service.addAssets(25);

	expect(await listTwice()).toEqual(orders);
	expect(orders[0]).not.toEqual(orders[1]);
	expect([...(orders[0] as number[])].sort((a, b) => a - b)).toEqual(all);
});

test('A list can have 10,000 assets', async () => {
	api.service.assets = [];
	const added = api.service.addAssets(10_000);

	expect(new Set(added.map(({ id }) => id)).size).toBe(10_000);
	expect(await list({}, '?Page=100&PageSize=100')).toHaveLength(100);
	expect(await list({}, '?Page=101&PageSize=100')).toEqual([]);
});
