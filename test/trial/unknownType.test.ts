import { createUuid } from '../../service/uuids';
import { useClock } from '../support/clock';
import { getAssets } from '../support/parameters';
import { useTrigger, watchAssets } from '../support/trigger';

const watching = useTrigger();
const clock = useClock();

const TYPES = ['Asset', 'Photo', 'Images', 'File', 'Upload', 'unknown'];

/** `service/openapi.yaml` shows no type at all, so any word may stand for any file. */
function listAsset(type: string) {
	const asset = { id: createUuid('A'), name: 'Cat', type, url: 'https://example.com/x' };
	watching.service.injectFault({ when: { path: '/v1/assets' }, body: { assets: [asset] } });
	watching.service.injectFault({ when: { path: `/v1/assets/${asset.id}` }, body: asset });
}

test.each(TYPES)(
	'An asset of the type "%s" without an extension is returned as before',
	async (type) => {
		listAsset(type);
		const filters = { kinds: ['image'] };
		const { json } = await watching.run(getAssets({ returnAll: true, filters }));
		expect(json).toHaveLength(1);
	},
);

test.each(TYPES)('A new asset of the type "%s" without an extension is not lost', async (type) => {
	const workflow = await watching.activateWorkflow(watchAssets({}, { kinds: ['image'] }));
	listAsset(type);
	const emitted = [];
	for (let polls = 0; polls < 5; polls++) {
		emitted.push(...(await workflow.poll()));
		await clock.pass(60_000);
	}
	expect(emitted).toHaveLength(1);
});
