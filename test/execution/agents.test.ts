import { TOOL } from '../support/engine/engine';
import { createVideo, getAsset, SOME_ID } from '../support/parameters';
import { useStudio } from '../support/studio';

// Agents that run the node by itself instead of calling it.

const studio = useStudio();
const settings = { type: TOOL };

test('An agent creates a video', async () => {
	const { json } = await studio.run(createVideo(), { settings });
	expect(json).toMatchObject([{ id: studio.service.videos[0]!.id }]);
	expect(studio.getRoutes()).toStrictEqual(['POST /v1/talkingphotos']);
});

test('An agent reads what went wrong and what to do', async () => {
	const { items } = await studio.run(getAsset(SOME_ID), { settings });
	const error = expect.stringMatching(/There is no asset .+ Check/);
	expect(items).toMatchObject([{ json: { error }, pairedItem: { item: 0 } }]);
});
