import { readFileSync } from 'node:fs';

import { getError } from '../support/engine/engine';
import type { TriggerWorkflow } from '../support/engine/triggerWorkflow';
import { events } from '../support/events';
import { getIds, getItemIds, useTrigger, watchAssets } from '../support/trigger';

const watching = useTrigger();
const security = readFileSync('SECURITY.md', 'utf8');

function getState(workflow: TriggerWorkflow): object {
	const [state] = Object.values(JSON.parse(workflow.memory()) as Record<string, object>);
	return state!;
}

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

test.each(events)(
	'the state of "$label" contains no name and no readable ID, or SECURITY.md says that it does',
	async ({ option, parameters }) => {
		watching.service.assets = [];
		const records = [...watching.service.addAssets(1), watching.addVoice('Rumpelstiltskin')];
		const state = getState(await watching.activateWorkflow(parameters));
		const text = JSON.stringify(state);
		const readable = records.filter(({ id, name }) => text.includes(id) || text.includes(name));
		const isDocumented = security.includes(`${option.name} keeps`);
		expect(readable).toHaveLength(isDocumented ? 1 : 0);
	},
);

test('of the key, the state contains two characters that fit one of 4,096', async () => {
	watching.service.assets = [];
	watching.service.addAssets(1);
	const state = getState(await watching.activateWorkflow());
	expect(state).toEqual({
		watched: expect.stringMatching(/^[\w-]{11}$/),
		account: expect.stringMatching(/^[\w-]{2}$/),
		fingerprints: expect.stringMatching(/^[\w-]{11}$/),
		failedSince: {},
	});
});
