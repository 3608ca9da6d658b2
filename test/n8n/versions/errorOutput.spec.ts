import { getAsset, SOME_ID as UNKNOWN_ID } from '../../support/parameters';
import {
	collect,
	connectInOrder,
	rows,
	startByHand,
	useN8n,
	type Part,
	type Wire,
} from '../runningN8n';

const n8n = useN8n();

const OUTCOME: Part = {
	name: 'Failed',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		includeOtherFields: true,
		assignments: {
			assignments: [
				{ id: '1', name: 'linkedTo', type: 'number', value: "={{ $('Rows').item.json.row }}" },
			],
		},
		options: {},
	},
};

/** Reads three assets, of which the second does not exist. */
async function readAssets(onError: string) {
	const [first, second] = n8n.service.assets.map(({ id }) => id);
	const ids = [first, UNKNOWN_ID, second];
	const parts: Part[] = [
		startByHand,
		...rows(ids.map((id, row) => ({ row, id }))),
		n8n.studio('Get asset', getAsset(), { onError }),
		collect('Succeeded'),
		OUTCOME,
	];
	const wires: Wire[] = [...connectInOrder(parts.slice(0, -1)), ['Get asset', 'main', 'Failed', 1]];
	return await n8n.run(await n8n.newWorkflow('Read assets', parts, wires));
}

describe('Error output', () => {
	it('receives only the failed item, with its input fields and its link', async () => {
		const [first, second] = n8n.service.assets.map(({ id }) => id);
		const { status, items } = await readAssets('continueErrorOutput');

		expect(status).toBe('success');
		expect(items.Succeeded!.map(({ id }) => id)).toEqual([first, second]);
		expect(items.Failed).toEqual([
			expect.objectContaining({
				row: 1,
				id: UNKNOWN_ID,
				linkedTo: 1,
				error: expect.stringContaining(UNKNOWN_ID),
				message: expect.any(String),
			}),
		]);
	});

	it('is not used if the node continues on its regular output', async () => {
		const { status, items } = await readAssets('continueRegularOutput');

		expect(status).toBe('success');
		expect(items.Succeeded).toEqual([
			expect.objectContaining({ name: 'Avatar portrait' }),
			expect.objectContaining({ error: expect.stringContaining(UNKNOWN_ID) }),
			expect.objectContaining({ name: 'Calm backdrop' }),
		]);
		expect(items.Failed).toBeUndefined();
	});
});
