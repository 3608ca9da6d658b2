import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { readRecord } from '../../nodes/AvatarStudio/client/response/response';
import { attachFiles } from '../../nodes/AvatarStudio/execution/attachFiles';
import { collectEntries } from '../../nodes/AvatarStudio/execution/collection';
import type { OperationRules } from '../../nodes/AvatarStudio/execution/itemExecutor';
import { operation } from '../../nodes/AvatarStudio/resources/operation';
import { nodeTypes } from '../support/engine/nodeTypes';
import { NODE } from '../support/engine/parts';
import { getOptions } from '../support/operations';
import { CONTINUE, createScriptItems, RETRY, SOME_ID } from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();
const STEP = 'GET /v1/assets/{assetId}';
const CREATION = 'POST /v1/talkingphotos';

const getAsset: OperationRules['afterCreation'] = async ({ client }, created) => {
	const asset = await client.request({ method: 'GET', url: `/v1/assets/${SOME_ID}` }, readRecord);
	return created.map(({ json }) => ({ json: { ...json, asset } }));
};

/** Gives Video: Create this step after the creation. */
function setStep(
	afterCreation: OperationRules['afterCreation'],
	names = ['script', 'avatarId', 'videoTitle', 'voiceId'],
): void {
	const { properties } = nodeTypes.getByName(NODE).description;
	const isOfVideo = ({ name, displayOptions }: INodeProperties) =>
		name === 'operation' && displayOptions?.show?.resource?.includes('video');
	const [create] = getOptions(properties.find(isOfVideo)!);
	const text = { type: 'string', default: '' } as const;
	const fields: OperationRules['fields'] = names.map((name) => {
		return { displayName: name, name, ...text };
	});
	const definition = { ...create!, fields, action: '', description: '', route: CREATION };
	const withStep = {
		...definition,
		value: 'create',
		createdName: 'The video',
		fileKind: 'video' as const,
		afterCreation,
	};
	create!.routing = operation(withStep).buildRouting(collectEntries(fields));
}

const parameters = {
	resource: 'video',
	operation: 'create',
	videoTitle: 'Welcome',
	script: '={{ $json.script ?? "Hello" }}',
	avatarId: SOME_ID,
	voiceId: 'au-en-GB-ryan',
};
const failStep = (fault: object) =>
	studio.service.injectFault({ when: { method: 'GET' }, status: 422, ...fault });
beforeEach(() => setStep(getAsset));

describe('G2: an error in a step after a creation', () => {
	it.each<[string, fault: object, response: object | undefined, words: string]>([
		['is refused', { body: { message: 'Face not found' } }, undefined, ': Face not found'],
		['may not have been done', { status: 500 }, undefined, '(500)'],
		['comes to nothing', { status: 200, body: {} }, { data: 7 }, 'response {"data":7}'],
	])('that %s says what was created', async (_what, fault, response, words) => {
		failStep(fault);
		if (response) studio.service.injectFault({ body: response, afterEffect: true });
		const { error, errorDetails } = (await studio.run(parameters, CONTINUE)).json[0]!;
		const { message, nextStep, mayExist } = errorDetails as IDataObject;
		const which = response ? JSON.stringify(response) : `ID ${studio.service.videos[0]!.id}`;
		expect(message).toMatch(/^The video was created \((ID|response) .*, but this failed: /);
		expect(message).toContain(which);
		expect(message).toContain(words);
		expect(nextStep).toContain('Look in the studio application before you run this item');
		expect(error).not.toContain('may exist');
		expect(mayExist).toBe(true);
	});

	it('that is a defect does not say that nothing was sent', async () => {
		setStep(async () => await Promise.reject(new TypeError('x is undefined')));
		const text = await studio.getFailure(parameters);
		expect(text).toContain('but this failed: x is undefined');
		expect(text).not.toMatch(/Nothing was changed|may exist/);
	});

	it('ends the run, which counts what was created as created', async () => {
		const items = createScriptItems(3);
		studio.service.injectFault({
			when: ({ body }) => (body as { script?: string })?.script === 'Script 2',
			status: 422,
			latencyMs: 100,
		});
		setStep(async (item, created) => {
			if (item.parameters.script === 'Script 0') throw new Error('Broken');
			return await Promise.resolve(created);
		});
		const text = await studio.getFailure(parameters, { items });
		expect(text).toMatch(/^The video was created \(ID .*\), but this failed: Broken \[item 0\]/);
		expect(text).toContain('Other items of this run: 1 created something, 0 may have');
	});

	it('G1: lets Retry On Fail make only the step again', async () => {
		studio.service.assets = studio.service.assets.map((asset) => ({ ...asset, id: SOME_ID }));
		failStep({ times: 2 });
		const { json } = await studio.run(parameters, { settings: RETRY });
		expect(json).toMatchObject([{ id: studio.service.videos[0]!.id, asset: { id: SOME_ID } }]);
		const step = STEP.replace('{assetId}', SOME_ID);
		expect(studio.getRoutes()).toStrictEqual([CREATION, step, step, step]);
	});
});

test('The file of a creation whose request has no body is attached', async () => {
	setStep(attachFiles, []);
	const url = `${studio.service.filesUrl}/sized/5`;
	studio.service.injectFault({ body: { url } });
	const { json } = await studio.run(parameters);
	expect(json).toStrictEqual([{ url, fileUrl: url }]);
	// The contract requires a body.
	studio.service.requests.length = 0;
});
