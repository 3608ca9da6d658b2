import type { RecordedRequest } from '../../service/service';
import { getError } from '../support/engine/engine';
import { drainInFlight } from '../support/requests';
import { getIds, getItemIds, useTrigger, watchAssets, watchVoices } from '../support/trigger';

const watching = useTrigger({ seed: false });

const MEGABYTE = 1_000_000;
/** Large pages speed up reading a long list. */
const largePages = () => {
	watching.service.configure({
		listedAssetFields: 'minimal',
		pagination: { firstPage: 1, maxPageSize: 20_000 },
	});
	return { pageSize: 20_000, firstPage: '1' };
};

describe('the stored state', () => {
	it('takes at most 120 kB for 10,000 assets and does not grow from poll to poll', async () => {
		const options = largePages();
		watching.service.addAssets(10_000);
		const workflow = await watching.activateWorkflow(watchAssets(options));
		expect(workflow.memory().length).toBeGreaterThan(110_000);
		expect(workflow.memory().length).toBeLessThanOrEqual(120_000);
		const bytes = workflow.memory().length;
		await workflow.poll();
		expect(workflow.memory()).toHaveLength(bytes);
	});

	it('of 11,000 assets that others replace keeps the latest 10,000', async () => {
		const options = largePages();
		const assets = watching.service.addAssets(11_000);
		const workflow = await watching.activateWorkflow(watchAssets(options));
		watching.service.assets = [];
		const others = watching.service.addAssets(2_000);
		expect(await workflow.poll()).toHaveLength(2_000);
		watching.service.assets = [...assets, ...others];
		expect(getItemIds(await workflow.poll())).toEqual(getIds(assets.slice(0, 1_000)));
	});

	it('keeps all assets behind the first pages if the newest come first', async () => {
		const options = { ...largePages(), pageSize: 500 };
		watching.service.configure({
			listedAssetFields: 'minimal',
			pagination: { firstPage: 1, maxPageSize: 500, order: 'newest' },
		});
		watching.service.addAssets(12_000);
		const workflow = await watching.activateWorkflow(
			watchAssets({ ...options, newestFirst: true }),
		);
		const [added] = watching.service.addAssets(1);
		expect(getItemIds(await workflow.poll())).toEqual([added!.id]);
		expect(await workflow.update({ parameters: watchAssets(options) })).toEqual([]);
	});

	it('keeps 12,000 assets while lists are temporarily empty or short', async () => {
		const options = largePages();
		const assets = watching.service.addAssets(12_000);
		const workflow = await watching.activateWorkflow(watchAssets(options));
		for (const listed of [0, 100, 0]) {
			watching.service.assets = assets.slice(0, listed);
			expect(await workflow.poll()).toEqual([]);
		}
		watching.service.assets = assets;
		expect(await workflow.poll()).toEqual([]);
	});

	it('holds 100,000 assets; one more is an error, but not behind the first pages', async () => {
		const { service } = watching;
		const options = largePages();
		const [first] = service.addAssets(1);
		const workflow = await watching.activateWorkflow(watchAssets(options));
		const memory = workflow.memory();
		const added = service.addAssets(100_000);
		const error = await getError(workflow.poll());
		expect(error.message).toContain('There are more than 100,000 assets');
		expect(error.description).toContain('Delete assets that are no longer needed');
		expect(workflow.memory()).toBe(memory);
		service.assets = added;
		expect(await workflow.poll()).toHaveLength(100_000);
		expect(workflow.memory().length).toBeLessThanOrEqual(1.12 * MEGABYTE);

		// From here on, a poll reads the new assets and the first known ones.
		const newestFirst = watchAssets({ ...options, newestFirst: true, pageSize: 5_000 });
		service.assets = added.slice(0, 100);
		expect(await workflow.update({ parameters: newestFirst })).toEqual([]);
		for (let round = 0; round < 3; round++) {
			const known = service.assets.slice(0, 100);
			service.assets = [];
			service.assets = [...service.addAssets(5_000), ...known];
			expect(await workflow.poll()).toHaveLength(5_000);
		}
		expect(workflow.memory().length).toBeLessThanOrEqual(1.17 * MEGABYTE);
		service.assets = [first!, ...service.assets];
		expect(getItemIds(await workflow.poll())).toEqual([first!.id]);
	}, 60_000);

	it('keeps what was seen of another event, up to 10,000 records', async () => {
		const options = largePages();
		const assets = watching.service.addAssets(9_000);
		const workflow = await watching.activateWorkflow(watchAssets(options));
		await workflow.update({ parameters: watchVoices() });
		watching.service.assets = [];
		await workflow.update({ parameters: watchAssets(options) });
		watching.service.assets = assets;
		expect(await workflow.poll()).toEqual([]);
		watching.service.assets = [];
		watching.service.addAssets(9_000);
		await workflow.update({});
		expect(workflow.memory().length).toBeLessThan(11 * 19_000 + 200);
	});

	it('contains two hexadecimal digits of what the key is, which fit one of 256', async () => {
		const workflow = await watching.activateWorkflow();
		const { account, ...others } = Object.values(
			JSON.parse(workflow.memory()) as Record<string, Record<string, unknown>>,
		)[0]!;
		expect(account).toMatch(new RegExp(`^${watching.service.url} [0-9a-f]{2}$`));
		watching.service.configure({ apiKey: 'another-key' });
		workflow.credentials.apiKey = 'another-key';
		await workflow.poll();
		expect(JSON.parse(workflow.memory())).toMatchObject({ 'node:New Asset or Voice': others });
	});

	it('contains no name, no link and no readable ID', async () => {
		const [asset] = watching.service.addAssets(1);
		const workflow = await watching.activateWorkflow();
		expect(workflow.memory()).not.toContain(asset!.id);
		expect(workflow.memory()).not.toContain(asset!.name);
	});
});

describe('a poll reads', () => {
	const pagesOf = async (poll: () => Promise<unknown>) => {
		await drainInFlight(watching);
		const before = watching.countPagesRead();
		await poll();
		// Pages that were asked for ahead may still be on their way.
		await drainInFlight(watching);
		return watching.countPagesRead() - before;
	};

	it.each(['', 'logo'])('one page if the newest come first and none is new (%j)', async (text) => {
		watching.service.configure({ pagination: { firstPage: 0 } });
		watching.service.addAssets(300);
		const workflow = await watching.activateWorkflow(
			watchAssets({ newestFirst: true }, { nameContains: text }),
		);
		expect(await pagesOf(() => workflow.poll())).toBe(1);
	});

	it('two of many pages if the newest come first and some are new', async () => {
		watching.service.configure({ pagination: { firstPage: 0 } });
		watching.service.addAssets(800);
		const workflow = await watching.activateWorkflow(watchAssets({ newestFirst: true }));
		const before = watching.service.assets;
		const added = watching.service.addAssets(3);
		watching.service.assets = [...[...added].reverse(), ...before];
		let emitted: unknown[] = [];
		const pages = await pagesOf(async () => (emitted = getItemIds(await workflow.poll())));
		expect(emitted).toEqual(getIds(added));
		expect(pages).toBe(2);
	});

	it('a list twice when the workflow is switched on', async () => {
		watching.service.configure({ pagination: { firstPage: 1 } });
		watching.service.addAssets(450);
		const workflow = await watching.createWorkflow(watchAssets({ firstPage: '1' }));
		const pages = await pagesOf(() => workflow.activate());
		const isFirst = ({ query }: RecordedRequest) => query.Page === '1' && query.PageSize === '100';
		expect(watching.service.requests.filter(isFirst)).toHaveLength(2);
		expect(pages).toBeLessThanOrEqual(16);
	});

	it('the voices with one request', async () => {
		const workflow = await watching.activateWorkflow(watchVoices());
		watching.service.requests.length = 0;
		await workflow.poll();
		expect(watching.getRoutes()).toEqual(['GET /v1/voices']);
	});
});
