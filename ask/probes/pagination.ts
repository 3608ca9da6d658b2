import { requireSuccess } from '../client';
import {
	NotObserved,
	type Observation,
	type Observations,
	type Probe,
	type Reason,
} from '../observation';

import { countAssets, readAssets } from './assets';

/** A page of the list: the IDs of its assets, or the status of a refusal. */
export type Page = { ids: string[] } | { status: number };

/** Reads one page; without a page or a size, the service chooses. */
export type FetchPage = (page?: number, pageSize?: number) => Promise<Page>;

/** Statuses with which the node takes a list for empty. */
const EMPTY_LIST_STATUSES = [400, 404, 416, 422];
/** Statuses of page 0 with which the node goes on to page 1. */
const PAGE_ZERO_STATUSES = [...EMPTY_LIST_STATUSES, 500];
const NODE_PAGE_SIZE = 100;
const LARGE_PAGE_SIZE = 1_000;
const FAR_PAGE = 1_000_000;
const READINGS = 4;
const MAX_PAGES = 30;

export const pagination: Probe = {
	title: 'pages of the asset list',
	mode: 'read',
	points: ['firstPage', 'emptyLists', 'pageSize', 'pagesBeyondLast', 'stability'],
	run: async ({ client }) => {
		const observations = await observePagination(async (Page, PageSize) => {
			const query = { ...(Page !== undefined && { Page }), ...(PageSize && { PageSize }) };
			const answer = await client.send('GET', '/v1/assets', { query });
			return answer.status === 200
				? { ids: readAssets(answer).map(({ id }) => String(id)) }
				: { status: answer.status };
		});
		// With a wrong Base URL every page is refused, too, but so is the list of voices.
		if ('observed' in observations.emptyLists!) {
			requireSuccess(await client.send('GET', '/v1/voices', { query: { query: '' } }));
		}
		return observations;
	},
};

/**
 * Finds out how a list is paged.
 *
 * @throws NotObserved if the list cannot be read
 */
export async function observePagination(fetchPage: FetchPage): Promise<Observations> {
	const list = new List(fetchPage);
	const [zero, one, two] = [await list.read(0, 1), await list.read(1, 1), await list.read(2, 1)];
	if (count(zero) + count(one) === 0) return observeEmptyList(zero, one, list);

	const nonEmpty = { notObserved: 'the account has assets' };
	if (count(one) > 1 && sameSet(one, two)) {
		const evidence = list.takeEvidence();
		const ignored = (observed: string): Observation => ({ observed, evidence });
		return {
			emptyLists: nonEmpty,
			firstPage: ignored('Every page is the whole list.'),
			pageSize: ignored('PageSize is ignored: every page is the whole list.'),
			pagesBeyondLast: ignored('Every page is the whole list.'),
			stability: await observeStability(list, 1),
		};
	}

	const start = count(zero) > 0 ? 0 : 1;
	const small = list.takeEvidence();
	const stability = await observeStability(list, start);
	const isStable = !('differs' in stability);
	const firstPage = isStable
		? chooseFirstPage(zero, one, two)
		: await measureFirstPage(list, zero, start);
	const defaultPage = await list.read();
	return {
		emptyLists: nonEmpty,
		stability,
		firstPage:
			firstPage === undefined
				? { notObserved: 'there are too few assets, or too many in a random order' }
				: {
						observed: `The first page is page ${firstPage}.${describePageZero(firstPage, zero)}`,
						evidence: [...small, ...list.takeEvidence()],
						differs: 'status' in zero && !PAGE_ZERO_STATUSES.includes(zero.status),
					},
		pageSize: await observePageSize(list, firstPage ?? start, count(defaultPage)),
		pagesBeyondLast: await observeEnd(list, firstPage ?? start),
	};
}

/** Requests of one list: what was seen, and the evidence. */
class List {
	readonly seen = new Set<string>();
	private evidence: string[] = [];
	/** A request that returned assets. */
	private working?: [page?: number, pageSize?: number];

	constructor(private readonly fetchPage: FetchPage) {}

	/**
	 * Reads a page. If it is empty or refused, it is read again.
	 *
	 * @throws NotObserved if it is refused, and a page that was not refused earlier is now as well
	 */
	async read(page?: number, pageSize?: number): Promise<Page> {
		let result = await this.fetchPage(page, pageSize);
		if (count(result) === 0) result = await this.fetchPage(page, pageSize);
		if (count(result) > 0) this.working = [page, pageSize];
		if ('ids' in result) result.ids.forEach((id) => this.seen.add(id));
		else if (this.working && count(await this.fetchPage(...this.working)) === 0) {
			throw createRefusal(result.status);
		}
		const query = [
			...(page === undefined ? [] : [`Page=${page}`]),
			...(pageSize === undefined ? [] : [`PageSize=${pageSize}`]),
		].join('&');
		this.evidence.push(`GET /v1/assets${query && `?${query}`} → ${describePage(result)}`);
		return result;
	}

	/** @returns the evidence since the last call */
	takeEvidence(): string[] {
		return this.evidence.splice(0);
	}
}

function createRefusal(status: number): NotObserved {
	const meaning = [401, 403].includes(status) ? ': the service rejected the API key' : '';
	return new NotObserved(`GET /v1/assets responded with status ${status}${meaning}`);
}

function observeEmptyList(zero: Page, one: Page, list: List): Observations {
	const refused = 'status' in one ? one : zero;
	if ('status' in refused && !EMPTY_LIST_STATUSES.includes(refused.status)) {
		throw createRefusal(refused.status);
	}
	const reason = { notObserved: 'the account has no assets' };
	const describe = (page: Page) =>
		'status' in page ? `is refused with ${page.status}` : 'is empty';
	return {
		emptyLists: {
			observed: `Of an empty list, page 0 ${describe(zero)} and page 1 ${describe(one)}.`,
			evidence: list.takeEvidence(),
		},
		firstPage: reason,
		pageSize: reason,
		pagesBeyondLast: reason,
		stability: reason,
	};
}

async function observeStability(list: List, page: number): Promise<Observation | Reason> {
	// A service may refuse large pages.
	let size = NODE_PAGE_SIZE;
	while (size > 1 && count(await list.read(page, size)) === 0) size = Math.floor(size / 10);
	const readings: Page[] = [];
	while (readings.length < READINGS) readings.push(await list.read(page, size));
	const evidence = list.takeEvidence();
	const orders = new Set(readings.map((reading) => getIds(reading).join(' ')));
	// A new or a deleted asset makes two orders; with more, each request has its own.
	if (orders.size === 2) throw new NotObserved('the list changed while it was read: ask again');
	if (orders.size > 2) {
		return {
			observed: 'The order changes from request to request.',
			evidence: [...evidence, `${orders.size} different orders in ${READINGS} requests`],
			differs: true,
		};
	}
	if (count(readings[0]!) < 2) return { notObserved: 'the account has too few assets' };
	return { observed: 'The order stays the same.', evidence };
}

/** In a stable order, pages of one asset show where the list starts. */
function chooseFirstPage(zero: Page, one: Page, two: Page): 0 | 1 | undefined {
	if (count(zero) === 0) return 1;
	if (!sameSet(zero, one)) return 0;
	return sameSet(one, two) ? undefined : 1;
}

/**
 * In a random order, only the lengths of pages say something: for the right first page, the list is
 * equally long at every page size.
 */
async function measureFirstPage(list: List, zero: Page, start: 0 | 1): Promise<0 | 1 | undefined> {
	if (count(zero) === 0) return 1;
	const largest = count(await list.read(start, NODE_PAGE_SIZE));
	const totals: [fromZero: number, fromOne: number][] = [];
	for (const size of [largest, largest - 1, largest - 2].filter((candidate) => candidate > 0)) {
		for (let page = 1; page <= MAX_PAGES; page += 1) {
			const length = count(await list.read(page, size));
			if (length === size) continue;
			totals.push([size * page + length, size * (page - 1) + length]);
			break;
		}
	}
	const agrees = (first: 0 | 1) =>
		totals.length > 1 && new Set(totals.map((total) => total[first])).size === 1;
	if (agrees(0)) return 0;
	return agrees(1) ? 1 : undefined;
}

function describePageZero(firstPage: 0 | 1, zero: Page): string {
	if (firstPage === 0) return '';
	if ('status' in zero) return ` Page 0 is refused with ${zero.status}.`;
	return zero.ids.length === 0 ? ' Page 0 is empty.' : ' Page 0 is the same as page 1.';
}

async function observePageSize(
	list: List,
	first: 0 | 1,
	defaultSize: number,
): Promise<Observation | Reason> {
	const largest = await findLargestSize(list, first);
	const length = count(await list.read(first, largest));
	// Pages of one asset: this one is the first beyond what the large page contained.
	const next = await list.read(first + length, 1);
	const far = await list.read(FAR_PAGE, 1);
	const hasMore = list.seen.size > length || (count(next) > 0 && count(far) === 0);
	const evidence = list.takeEvidence();
	if (largest < LARGE_PAGE_SIZE) {
		return {
			observed: `A PageSize of more than ${largest} is refused.`,
			evidence,
			differs: largest < NODE_PAGE_SIZE,
		};
	}
	if (!hasMore) {
		return {
			notObserved: `a PageSize of ${largest} returned ${countAssets(length)}, and no page shows more`,
		};
	}
	const byDefault = defaultSize < length ? ` The default is ${defaultSize}.` : '';
	return length < largest
		? { observed: `A larger PageSize is reduced to ${length}.${byDefault}`, evidence }
		: { observed: `A PageSize of ${largest} is accepted.${byDefault}`, evidence };
}

/** @returns the largest PageSize that is not refused, up to LARGE_PAGE_SIZE */
async function findLargestSize(list: List, page: number): Promise<number> {
	const isAccepted = async (size: number) => count(await list.read(page, size)) > 0;
	if (await isAccepted(LARGE_PAGE_SIZE)) return LARGE_PAGE_SIZE;
	return await findLast(1, LARGE_PAGE_SIZE, isAccepted);
}

async function observeEnd(list: List, first: 0 | 1): Promise<Observation> {
	const far = await list.read(FAR_PAGE, 1);
	if (!('status' in far)) {
		const evidence = list.takeEvidence();
		return far.ids.length === 0
			? { observed: 'A page beyond the last is empty.', evidence }
			: { observed: 'A page beyond the last repeats the last page.', evidence };
	}
	// Either the list ends there, or the service reads no further: then it depends on the page size.
	const exists = async (index: number) => count(await list.read(first + index, 1)) > 0;
	let beyond = 1;
	while (await exists(beyond)) beyond *= 2;
	const readable = 1 + (await findLast(Math.floor(beyond / 2), beyond, exists));
	const size = [2, 3, 5, 7, 11, 13, 17].find((candidate) => readable % candidate !== 0)!;
	const index = Math.floor((readable - 1) / size);
	const isLimit = count(await list.read(first + index, size)) === 0;
	const evidence = list.takeEvidence();
	return isLimit
		? {
				observed: `Assets beyond number ${readable} are refused with ${far.status}, although there are more.`,
				evidence,
				differs: true,
			}
		: { observed: `A page beyond the last is refused with ${far.status}.`, evidence };
}

/** Bisects: `holds(low)` is known to hold, `holds(high)` is known not to. */
async function findLast(
	low: number,
	high: number,
	holds: (value: number) => Promise<boolean>,
): Promise<number> {
	while (high - low > 1) {
		const middle = Math.floor((low + high) / 2);
		if (await holds(middle)) low = middle;
		else high = middle;
	}
	return low;
}

function getIds(page: Page): string[] {
	return 'ids' in page ? page.ids : [];
}

function count(page: Page): number {
	return getIds(page).length;
}

function sameSet(a: Page, b: Page): boolean {
	const sort = (page: Page) => JSON.stringify([...getIds(page)].sort());
	return sort(a) === sort(b);
}

function describePage(page: Page): string {
	return 'status' in page ? `status ${page.status}` : countAssets(page.ids.length);
}
