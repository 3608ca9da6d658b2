import type { INodeExecutionData } from 'n8n-workflow';

import { readFile, runForAgent } from '../support/engine/engine';
import { createVideo, downloadAsset, getAsset, SOME_ID } from '../support/parameters';
import { useStudio } from '../support/studio';

// n8n Agents, which run a node without a workflow.

const studio = useStudio();

const run = async (parameters: Parameters<typeof runForAgent>[0]) =>
	await runForAgent(parameters, { credentials: studio.credentials });

test('An agent creates a video', async () => {
	expect(await run(createVideo())).toMatchObject([
		{ json: { id: studio.service.videos[0]!.id, url: expect.stringContaining('http') } },
	]);
	expect(studio.getRoutes()).toStrictEqual(['POST /v1/talkingphotos']);
});

test('An agent reads what went wrong and what to do', async () => {
	expect(await run(getAsset(SOME_ID))).toStrictEqual([
		{
			json: { error: expect.stringMatching(/There is no asset .+ Check/) },
			pairedItem: { item: 0 },
		},
	]);
});

test('A download is stored below workflows/undefined, where n8n never deletes it', async () => {
	const [asset] = studio.service.assets;
	const [item] = (await run(downloadAsset(asset!.id))) as INodeExecutionData[];
	expect(item!.json).toMatchObject({ id: asset!.id, url: expect.any(String) });
	expect(item!.binary!.data!.id).toContain('workflows/undefined/executions/');
	expect((await readFile(item)).length).toBeGreaterThan(0);
});
