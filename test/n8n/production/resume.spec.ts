import { createDataTable } from '../../../n8n/dataTable';
import { selectTables } from '../../../n8n/editWorkflow';
import { exampleTables, readExamples } from '../../../n8n/examples';

import { scale } from './scale';
import { useStack } from './stack';

const BATCH = 10;
/** Enough for batches before and after the one that is interrupted. */
const ROWS = Math.max(scale(200), 4 * BATCH);

const stack = useStack('SQLite');
const { n8n } = stack;

/** Imports the example, for the stand-in of this file, and gives it rows to read. */
async function setUp() {
	const example = readExamples().find(({ file }) => file === 'videos-from-table')!;
	const { name, connections, settings } = example;
	const nodes = example.nodes.map((node) =>
		node.credentials ? { ...node, credentials: n8n.account } : node,
	);
	const workflow = { name, nodes, connections, settings, active: false };
	const { id } = await n8n.rest<{ id: string }>('POST', '/workflows', workflow);
	const table = await createDataTable(n8n.session, {
		...exampleTables[0]!,
		rows: Array.from({ length: ROWS }, (_, row) => ({ title: `Video ${row}`, script: 'Hello!' })),
	});
	await selectTables(id, n8n.session);
	return { id, table };
}

test('No video is created twice if n8n is killed and the workflow is run again', async () => {
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
	const failed = rows.filter(({ note, state }) => note && state !== 'claimed');
	expect(failed).toEqual([]);
	expect(claimed.map(({ note }) => note)).toEqual(claimed.map(() => 'Claimed by execution 1'));
	expect(claimed.length).toBeLessThanOrEqual(BATCH);
});
