import { getError } from '../support/engine/engine';
import { getIds, getItemIds, useTrigger, watchAssets } from '../support/trigger';

const watching = useTrigger();

test('the state holds 100,000 assets and as many that are gone; one more is an error that loses nothing', async () => {
	// Large pages speed up reading a long list.
	const watch = watchAssets({ pageSize: 20_000, firstPage: '1' });
	const pagination = { firstPage: 1, maxPageSize: 20_000 } as const;
	watching.service.configure({ listedAssetFields: 'minimal', pagination });
	const before = watching.service.addAssets(1_000);
	const workflow = await watching.activateWorkflow(watch);
	watching.service.assets = [];
	const [first, ...others] = watching.service.addAssets(100_001);
	const memory = workflow.memory();
	const error = await getError(workflow.poll());
	expect(error.message).toContain('There are more assets than the node reads');
	expect(workflow.memory()).toBe(memory);
	watching.service.assets = others;
	expect(await workflow.poll()).toHaveLength(100_000);
	watching.service.assets = [first!, ...before];
	expect(getItemIds(await workflow.poll())).toEqual(getIds([first!]));
	expect(workflow.memory().length).toBeLessThanOrEqual(1_120_000);
});

test('the state contains no name, no readable ID, and of the key two characters that fit one of 4,096', async () => {
	watching.service.assets = [];
	const [asset] = watching.service.addAssets(1);
	const workflow = await watching.activateWorkflow();
	expect(workflow.memory()).not.toContain(asset!.id);
	expect(workflow.memory()).not.toContain(asset!.name);
	const state = JSON.parse(workflow.memory()) as Record<string, object>;
	expect(state['node:New Asset or Voice']).toEqual({
		watched: expect.stringMatching(/^[\w-]{11}$/),
		account: expect.stringMatching(/^[\w-]{2}$/),
		fingerprints: expect.stringMatching(/^[\w-]{11}$/),
		failedSince: {},
	});
});
