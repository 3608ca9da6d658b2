import { getEventListeners } from 'node:events';

import type { INodeParameters } from 'n8n-workflow';

import { Client } from '../../nodes/AvatarStudio/client/client';
import { fetchRecords } from '../../nodes/AvatarStudio/client/list';
import { assetList } from '../../nodes/AvatarStudio/resources/asset/asset';
import { forgetNodes } from '../../nodes/AvatarStudio/trigger/memory';
import type { Asset, PaginationOptions } from '../../service/service';
import { createUuid } from '../../service/uuids';
import { useClock } from '../support/clock';
import { getError, getErrorText, logLines, warnings } from '../support/engine/engine';
import type { TriggerWorkflow } from '../support/engine/triggerWorkflow';
import { drainInFlight } from '../support/requests';
import { getItemNames, useTrigger, watchAssets } from '../support/trigger';

const MINUTE_MS = 60_000;

const watching = useTrigger();
const clock = useClock({ runs: true });

/** A name whose place in a list by name is that of its number. */
const name = (number: number) => `Asset ${String(number).padStart(6, '0')}`;
const asset = (number: number): Asset => ({
	id: createUuid(name(number)),
	name: name(number),
	extension: '.png',
	content: Buffer.from('file'),
});
const assets = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_, index) => asset(from + index));
const names = (from: number, to: number) => assets(from, to).map((it) => it.name);

/** A workflow that has seen these assets, in pages of 10, with the first of them listed first. */
async function watch(
	from: number,
	to: number,
	pagination: PaginationOptions = {},
	parameters: INodeParameters = watchAssets({ pageSize: 10 }),
) {
	watching.service.configure({ pagination });
	watching.service.assets = assets(from, to);
	const workflow = await watching.activateWorkflow(parameters);
	await drainInFlight(watching);
	return workflow;
}

function addInMiddle(...added: Asset[]): void {
	const { assets: all } = watching.service;
	watching.service.assets = [...all.slice(0, 25), ...added, ...all.slice(25)];
}

/** @returns the names that a poll emits, and the numbers of the pages that it requests */
async function poll(workflow: TriggerWorkflow, how: 'poll' | 'pollWithFreshContext' = 'poll') {
	watching.service.requests.length = 0;
	const emitted = getItemNames(await workflow[how]());
	await drainInFlight(watching);
	return { emitted, pages: listPages() };
}

function listPages(): string {
	const listed = watching.service.requests.filter(({ path }) => path === '/v1/assets');
	return listed.map(({ query }) => query.Page).join(' ');
}

/** What the trigger wrote to n8n's log at the levels that n8n shows. */
const listInfos = () =>
	logLines.filter(({ level }) => level !== 'debug').map((line) => line.message);

/** Lets this many polls find nothing, a minute apart; returns the minutes in which the list was read whole. */
async function findWholeReads(workflow: TriggerWorkflow, polls: number): Promise<number[]> {
	const minutes: number[] = [];
	for (let minute = 1; minute <= polls; minute++) {
		await clock.pass(MINUTE_MS);
		const { emitted, pages } = await poll(workflow);
		expect(emitted).toEqual([]);
		if (pages.split(' ').length > 3) minutes.push(minute);
	}
	return minutes;
}

describe('G14: a poll of a list of many pages', () => {
	it('requests the first page and the last one, and says nothing', async () => {
		const workflow = await watch(1, 45);
		expect(await poll(workflow)).toEqual({ emitted: [], pages: '1 5' });
		expect(listInfos()).toEqual([]);
	});

	it('requests one more if the last page is full', async () => {
		for (const pageBeyondLast of ['empty', 'last', 404] as const) {
			const workflow = await watch(1, 50, { firstPage: 0, pageBeyondLast });
			expect(await poll(workflow)).toEqual({ emitted: [], pages: '0 4 5' });
		}
	});

	it('finds what is added behind the last record, on as many pages as it takes', async () => {
		const workflow = await watch(1, 45);
		watching.service.assets = assets(1, 48);
		expect(await poll(workflow)).toEqual({ emitted: names(46, 48), pages: '1 5' });
		watching.service.assets = assets(1, 71);
		expect(await poll(workflow)).toEqual({ emitted: names(49, 71), pages: '1 5 6 7 8' });
		expect(await poll(workflow)).toEqual({ emitted: [], pages: '1 8' });
	});

	it('finds what is added in front, in the order of time', async () => {
		watching.service.assets = [];
		const workflow = await watch(1, 45, { order: 'newest' });
		watching.service.assets = assets(1, 48);
		expect(await poll(workflow)).toEqual({ emitted: names(46, 48), pages: '1 5' });
		watching.service.assets = assets(1, 71);
		const { emitted, pages } = await poll(workflow);
		expect(emitted).toEqual(names(49, 71));
		expect(pages.split(' ').sort().join(' ')).toBe('1 2 3 5 6 7 8');
	});

	it('finds what is added in front while another asset is deleted', async () => {
		const workflow = await watch(1, 45, { order: 'newest' });
		watching.service.assets = assets(2, 46);
		expect(await poll(workflow)).toEqual({ emitted: names(46, 46), pages: '1 5' });
	});

	it('goes back from the last page to a known asset', async () => {
		const workflow = await watch(1, 35);
		// The 29 that are left end on the third page, and the last of eight new ones on the fourth.
		watching.service.assets = assets(7, 43);
		expect(await poll(workflow)).toEqual({ emitted: names(36, 43), pages: '1 4 3' });
	});

	it('reads the whole list at once if an asset was added in the middle', async () => {
		const workflow = await watch(1, 45);
		addInMiddle(asset(100));
		const { emitted, pages } = await poll(workflow);
		expect(emitted).toEqual([name(100)]);
		expect(pages).toBe('1 5 1 2 3 4 5 6');
		expect(await poll(workflow)).toEqual({ emitted: [], pages: '1 5' });
	});

	it.each<[string, Asset[]]>([
		['the last page is gone', assets(1, 35)],
		['all that is listed is new', assets(101, 145)],
		['a page is shorter than it was', assets(1, 5)],
	])('reads the whole list at once if %s', async (_what, listed) => {
		const workflow = await watch(1, 45);
		watching.service.assets = listed;
		const { emitted, pages } = await poll(workflow);
		expect(emitted).toEqual(listed.map((it) => it.name).filter((it) => it > name(45)));
		expect(pages).toMatch(/1 2( 3| 4| 5)*/);
		expect(await poll(workflow)).toMatchObject({ emitted: [] });
	});

	/** Lets the service cut an asset out of a page, after it has divided the list into pages. */
	const cutOneOf = (page: number) => {
		watching.service.injectFault({
			when: ({ path, query }) => path === '/v1/assets' && query.Page === String(page),
			body: { assets: assets(10 * page - 9, 10 * page - 1).map(({ id }) => ({ id })) },
		});
	};

	it.each([1, 4])('reads the whole list at once if page %i is short', async (page) => {
		const workflow = await watch(1, 45);
		cutOneOf(page);
		// All of the last page is new, so the one before it is read as well.
		if (page === 4) watching.service.assets = [...assets(1, 40), ...assets(46, 50)];
		const { pages } = await poll(workflow);
		expect(pages).toMatch(/^1 5 (4 )?1 2 3 4 5 6/);
	});

	it('of unequal length reads all of them, and no page twice', async () => {
		const workflow = await watch(1, 45);
		cutOneOf(2);
		await clock.pass(10 * MINUTE_MS);
		await poll(workflow);
		expect(await poll(workflow)).toEqual({ emitted: [], pages: '1 2 3 4 5 6' });
	});

	it.each([
		[15, '1 2'],
		[20, '1 2 3'],
		[8, '1 2'],
	])('of %i assets reads all of them', async (count, pages) => {
		const workflow = await watch(1, count, { pageZero: 'empty' });
		expect(await poll(workflow)).toEqual({ emitted: [], pages });
		watching.service.assets = assets(2, count + 1);
		expect(await poll(workflow)).toMatchObject({ emitted: [name(count + 1)] });
	});
});

describe('A proof', () => {
	/** An asset is added in the middle while another one is deleted, which no end of the list shows. */
	const hide = (number: number) => {
		watching.service.assets = watching.service.assets.filter((_, index) => index !== 30);
		addInMiddle(asset(number));
	};

	it('reads the whole list after 10, 20, 40, and then every 60 minutes', async () => {
		const workflow = await watch(1, 45);
		expect(await findWholeReads(workflow, 200)).toEqual([10, 30, 70, 130, 190]);
		expect(listInfos()).toEqual([]);
	});

	it('finds what short reads missed, says so at info, and comes sooner again', async () => {
		const workflow = await watch(1, 45);
		await findWholeReads(workflow, 75);
		hide(100);
		expect(await findWholeReads(workflow, 54)).toEqual([]);
		await clock.pass(MINUTE_MS);
		expect(await poll(workflow)).toMatchObject({ emitted: [name(100)] });
		const told = 'New assets that were found late: 1.';
		expect(listInfos()).toEqual([expect.stringContaining(told)]);
		expect(await findWholeReads(workflow, 35)).toEqual([10, 30]);
	});

	it('says nothing of what a short read would have found as well', async () => {
		const workflow = await watch(1, 45);
		await clock.pass(10 * MINUTE_MS);
		addInMiddle(asset(100));
		expect(await poll(workflow)).toMatchObject({ emitted: [name(100)] });
		expect(listInfos()).toEqual([]);
	});

	it('says nothing of what the filters exclude, though n8n saves no poll without an item', async () => {
		const parameters = watchAssets({ pageSize: 10 }, { kinds: ['audio'] });
		const workflow = await watch(1, 45, {}, parameters);
		addInMiddle(asset(100));
		for (let proof = 0; proof < 3; proof++) {
			expect(await poll(workflow, 'pollWithFreshContext')).toMatchObject({ emitted: [] });
			await clock.pass(60 * MINUTE_MS);
		}
		expect(listInfos()).toEqual([]);
	});
});

describe('The whole list is read', () => {
	const ENDS = '1 5';
	const ALL = '1 2 3 4 5 6';

	it('if n8n discarded what a poll found in the middle', async () => {
		const workflow = await watch(1, 45);
		addInMiddle(asset(100));
		await workflow.pollInVain();
		await drainInFlight(watching);
		const how = 'pollWithFreshContext';
		expect(await poll(workflow, how)).toEqual({ emitted: [name(100)], pages: ALL });
		expect(await poll(workflow, how)).toEqual({ emitted: [], pages: ENDS });
	});

	it('once after a restart, but not if the workflow is only published again', async () => {
		const workflow = await watch(1, 45);
		await workflow.update();
		expect(await poll(workflow)).toEqual({ emitted: [], pages: ENDS });
		forgetNodes();
		watching.service.requests.length = 0;
		await workflow.restart();
		await drainInFlight(watching);
		expect(listPages()).toBe(ALL);
		expect(await poll(workflow)).toEqual({ emitted: [], pages: ENDS });
	});

	it('if Page Size changes', async () => {
		const workflow = await watch(1, 45);
		watching.service.requests.length = 0;
		await workflow.update({ parameters: watchAssets({ pageSize: 9 }) });
		await drainInFlight(watching);
		expect(listPages()).toBe(ALL);
	});

	it('only as planned if a poll fails', async () => {
		const workflow = await watch(1, 45);
		watching.service.assets = assets(1, 46);
		watching.service.injectFault({ status: 500, when: ({ query }) => query.Page === '5' });
		await getError(workflow.poll());
		watching.service.clearFaults();
		expect(await poll(workflow)).toEqual({ emitted: names(46, 46), pages: ENDS });
	});
});

describe('An asset that cannot be read', () => {
	const DOWNLOAD = watchAssets({ pageSize: 10, downloadFile: true });
	const breakFile = (number: number) => {
		const id = createUuid(name(number));
		const when = ({ host, path }: { host: string; path: string }) =>
			host === 'files' && path.includes(id);
		watching.service.injectFault({ status: 404, when });
	};

	it('in the middle of the list is looked for every ten minutes', async () => {
		const workflow = await watch(1, 45, {}, DOWNLOAD);
		addInMiddle(asset(100));
		breakFile(100);
		expect(await findWholeReads(workflow, 45)).toEqual([1, 11, 21, 31, 41]);
		watching.service.clearFaults();
		await clock.pass(6 * MINUTE_MS);
		expect(await poll(workflow)).toMatchObject({ emitted: [name(100)] });
	});

	it('is emitted with the reason after a day, in which most polls did not meet it', async () => {
		const workflow = await watch(1, 45, {}, DOWNLOAD);
		addInMiddle(asset(100));
		breakFile(100);
		for (let hour = 0; hour < 24; hour++) {
			expect(await poll(workflow, 'pollWithFreshContext')).toMatchObject({ emitted: [] });
			expect(await poll(workflow, 'pollWithFreshContext')).toMatchObject({ emitted: [] });
			await clock.pass(60 * MINUTE_MS);
		}
		const [item] = await workflow.pollWithFreshContext();
		expect(item!.json).toMatchObject({ name: name(100), fileError: expect.any(String) });
	});

	it('at the end of the list is tried at each poll', async () => {
		const workflow = await watch(1, 45, {}, DOWNLOAD);
		watching.service.assets = assets(1, 46);
		breakFile(46);
		expect(await poll(workflow)).toEqual({ emitted: [], pages: '1 5' });
		expect(await poll(workflow)).toEqual({ emitted: [], pages: '1 5' });
		watching.service.clearFaults();
		expect(await poll(workflow)).toEqual({ emitted: names(46, 46), pages: '1 5' });
	});

	it('at the end of the list hides none that is added in the middle', async () => {
		const workflow = await watch(1, 45, {}, DOWNLOAD);
		watching.service.assets = assets(1, 46);
		breakFile(46);
		await poll(workflow);
		addInMiddle(asset(100));
		expect(await poll(workflow)).toMatchObject({ emitted: [name(100)] });
	});

	it('for lack of time is looked for at once', async () => {
		const workflow = await watch(1, 45, {}, DOWNLOAD);
		addInMiddle(asset(100), asset(101), asset(102));
		await workflow.update({ budgetMs: 0 });
		expect(await poll(workflow)).toMatchObject({ emitted: [name(101)] });
		expect(await poll(workflow)).toMatchObject({ emitted: [name(102)] });
	});

	it('and is deleted is forgotten', async () => {
		const workflow = await watch(1, 45, {}, DOWNLOAD);
		addInMiddle(asset(100));
		breakFile(100);
		await poll(workflow);
		watching.service.assets = assets(1, 45);
		watching.service.clearFaults();
		expect(await findWholeReads(workflow, 25)).toEqual([10]);
	});
});

describe('A list that takes longer than a poll may', () => {
	const BUDGET_MS = 36_000;
	/** Each page takes so long that the ends can be read in time, but not the whole list. */
	const slowDown = () => {
		watching.service.injectFault({ latencyMs: 15_000, when: ({ path }) => path === '/v1/assets' });
	};
	const watchDurably = async () => {
		const workflow = await watch(1, 145);
		await workflow.update({ budgetMs: BUDGET_MS });
		slowDown();
		return workflow;
	};

	it('is read at its ends, and whole as soon as there is time', async () => {
		const workflow = await watchDurably();
		addInMiddle(asset(200));
		const start = performance.now();
		expect(await poll(workflow)).toMatchObject({ emitted: [] });
		expect(performance.now() - start).toBeLessThan(BUDGET_MS);
		expect(warnings).toEqual([expect.stringContaining('took longer than a poll may take')]);
		watching.service.assets.push(asset(201));
		expect(await poll(workflow)).toEqual({ emitted: [name(201)], pages: '1 15' });
		watching.service.clearFaults();
		await clock.pass(8 * MINUTE_MS);
		expect(await poll(workflow)).toEqual({ emitted: [], pages: '1 15' });
		await clock.pass(2 * MINUTE_MS);
		expect(await poll(workflow)).toMatchObject({ emitted: [name(200)] });
		expect(warnings).toHaveLength(1);
	});

	it('is tried again after ten minutes', async () => {
		const workflow = await watchDurably();
		for (let proof = 1; proof <= 3; proof++) {
			await clock.pass(10 * MINUTE_MS);
			for (let short = 0; short < 3; short++) await workflow.poll();
			expect(warnings).toHaveLength(proof);
		}
	});

	it('is an error if nothing is known of it, and the next poll tries again', async () => {
		const workflow = await watchDurably();
		const [added] = assets(201, 201);
		watching.service.assets.push(added!);
		forgetNodes();
		const text = getErrorText(await getError(workflow.poll()));
		expect(text).toContain('Reading the assets took longer than a poll may take');
		watching.service.clearFaults();
		expect(await poll(workflow)).toMatchObject({ emitted: [name(201)] });
	});

	it('is waited for by an n8n that sets no limit', async () => {
		const workflow = await watchDurably();
		await workflow.update({ budgetMs: undefined });
		forgetNodes();
		watching.service.assets.push(asset(201));
		expect(await poll(workflow)).toMatchObject({ emitted: [name(201)] });
	});
});

test('A filter and Download File request the details of an asset once', async () => {
	watching.service.configure({ listedAssetFields: 'minimal' });
	const parameters = watchAssets({ downloadFile: true }, { kinds: ['image'] });
	const workflow = await watching.activateWorkflow(parameters);
	const added = asset(1);
	watching.service.assets = [...watching.service.assets, added];
	watching.service.requests.length = 0;
	const [item] = await workflow.poll();
	expect(item!.binary).toBeDefined();
	const details = watching.getRoutes().filter((route) => route === `GET /v1/assets/${added.id}`);
	expect(details).toHaveLength(1);
});

test('More than ten requests at once in a poll are no reason for Node.js to warn of a leak', async () => {
	const timeLimit = new AbortController();
	const client = Client.forPoll(watching.createWorkflow().createContext(), timeLimit.signal);
	const listeners: number[] = [];
	const when = () => {
		listeners.push(getEventListeners(timeLimit.signal, 'abort').length);
		return true;
	};
	watching.service.injectFault({ latencyMs: 1_000, when });
	const request = async () => await fetchRecords(client, assetList);
	for (let requests = 1; requests < 100; requests *= 2) {
		await Promise.all(Array.from({ length: requests }, request));
	}
	expect(watching.service.peakInFlight).toBeGreaterThan(10);
	expect(Math.max(...listeners)).toBeLessThanOrEqual(10);
});
