import { selectTables } from '../../../n8n/checkExample';
import { createDataTable } from '../../../n8n/dataTable';
import { exampleTables, readExamples } from '../../../n8n/examples';
import { getAsset } from '../../support/parameters';
import { everySecond, waitForPolls } from '../polls';
import { connectInOrder, STUDIO } from '../runningN8n';

import { recordFigure, scale } from './figures';
import { useStack } from './stack';

const BATCH = 10;
/** Enough for batches before and after the one that is interrupted. */
const ROWS = Math.max(scale(200), 4 * BATCH);

const stack = useStack('SQLite');
const { n8n } = stack;

/** Imports the example, for the stand-in of this file, and gives it rows to read. */
async function setUp() {
	const { name, nodes, connections, settings } = readExamples().find(
		({ id }) => id === 'VideosFromTable1',
	)!;
	const { id } = await n8n.rest<{ id: string }>('POST', '/workflows', {
		name,
		connections,
		settings,
		active: false,
		nodes: nodes.map((node) => (node.credentials ? { ...node, credentials: n8n.account } : node)),
	});
	const table = await createDataTable(n8n.session, {
		...exampleTables[0]!,
		rows: Array.from({ length: ROWS }, (_, row) => ({ title: `Video ${row}`, script: 'Hello!' })),
	});
	await selectTables(id, n8n.session);
	return { id, table };
}

describe('Resuming after a crash', () => {
	it('creates no video twice if n8n is killed and the workflow is run again', async () => {
		const { id, table } = await setUp();
		n8n.service.configure({ latencyMs: 50 });

		const run = n8n.run(id);
		await n8n.waitForRequestOf(run, () => n8n.service.videos.length >= ROWS / 4);
		stack.main.kill('SIGKILL');
		await stack.main.ended;
		await expect(run).rejects.toThrow();
		const before = n8n.service.videos.length;
		await stack.restartMain();
		const { status } = await n8n.run(id);

		const titles = n8n.service.videos.map(({ videoTitle }) => videoTitle);
		const rows = await table.readRows();
		const claimed = rows.filter(({ state }) => state === 'claimed');
		expect(status).toBe('success');
		expect(before).toBeLessThan(ROWS);
		expect(new Set(titles).size).toBe(titles.length);
		expect(rows.filter(({ state }) => state === 'done')).toHaveLength(ROWS - claimed.length);
		expect(rows.filter(({ note }) => note)).toEqual([]);
		expect(claimed.length).toBeLessThanOrEqual(BATCH);
		recordFigure(
			`SIGKILL in the middle of ${ROWS} rows, then run again`,
			`${titles.length} videos, none twice, ${claimed.length} rows left claimed`,
		);
	});
});

// n8n 2.41 tries the first poll of a start five times, and then never again.
test('A trigger outlives a restart of n8n while the service is down', async () => {
	const settings = { type: `${STUDIO}Trigger` };
	const parameters = { event: 'assetCreated', pollTimes: everySecond };
	const parts = [
		n8n.studio('Avatar Studio Trigger', parameters, settings),
		n8n.studio('What is new', getAsset()),
	];
	const id = await n8n.newWorkflow('On its own', parts, connectInOrder(parts));
	await n8n.publish(id);
	await waitForPolls(n8n.service, 2);
	let isDown = true;
	n8n.service.injectFault({ when: () => isDown, status: 500 });
	await stack.main.stop();
	await stack.restartMain();
	await waitForPolls(n8n.service, 8);
	isDown = false;
	const [added] = n8n.service.addAssets(1);
	const path = `/v1/assets/${added!.id}`;
	expect(await n8n.service.waitForRequest({ path })).toMatchObject({ method: 'GET' });
});
