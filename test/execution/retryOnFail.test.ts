import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import {
	createLocator,
	createScriptItems,
	createSpeech,
	createSpeeches,
	createVideo,
	deleteAsset,
	RETRY,
	updateAsset,
} from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();
const clock = useClock();
beforeEach(() => clock.run());
const settings = RETRY;

const getSpokenScripts = () => studio.service.speeches.map(({ script }) => script);
const getSentScripts = () =>
	studio.service.requests.map(({ body }) => (body as { script: string }).script);
const isSecond = ({ body }: { body?: unknown }) =>
	(body as { script?: string }).script === 'Script 1';
/** The response is lost, once. */
const LOST: Fault = { disconnect: 'beforeResponse', times: 1 };
const unknown: Fault = { ...LOST, afterEffect: true };

describe('G1: with Retry On Fail', () => {
	it('three items, one of them refused twice, take five requests, and each has its own result', async () => {
		studio.service.injectFault({ when: isSecond, status: 422, times: 2 });
		studio.service.configure({ speechResponse: 'link' });
		const { items } = await studio.run(...createSpeeches(3, { settings }));

		expect(getSentScripts()).toHaveLength(5);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		const { speeches } = studio.service;
		const made = items.map(({ json }) => speeches.find(({ id }) => id === json.id)!.script);
		expect(made).toEqual(['Script 0', 'Script 1', 'Script 2']);
	});

	it.each<[string, Fault]>([
		['a dropped connection', { disconnect: 'beforeResponse' }],
		['500', { status: 500 }],
		['a response that is not JSON', { body: '{', headers: { 'content-type': 'application/json' } }],
		['a redirect that may follow a success', { status: 303, headers: { location: '/v1/assets' } }],
	])('a video is not created again after %s', async (_failure, fault) => {
		studio.service.injectFault({ ...fault, times: 1, afterEffect: true });
		expect(await studio.getFailure(createVideo(), { settings })).toContain('may exist');
		expect(studio.getRoutes()).toHaveLength(1);
		expect(studio.service.videos).toHaveLength(1);
	});

	it('an item whose expression fails at first holds up no other', async () => {
		let failures = 1;
		const items = createScriptItems(3);
		Object.defineProperty(items[2]!.json, 'fails', { get: () => failures-- > 0 });
		const script = '={{ $json.fails ? $("Nowhere").item.json.x : $json.script }}';
		await studio.run(createSpeech({ script }), { items, settings });
		expect(getSpokenScripts().sort()).toEqual(['Script 0', 'Script 1', 'Script 2']);
	});

	it.each([401, 307, 308])(
		'a video is requested again after %i, which means that it was not created',
		async (status) => {
			studio.service.injectFault({ status, headers: { location: '/v1/assets' }, times: 2 });
			await studio.run(createVideo(), { settings });
			expect(studio.service.videos).toHaveLength(1);
			expect(studio.getRoutes()).toHaveLength(3);
		},
	);

	it.each<[string, Fault[], number]>([
		['a connection that drops four times', [{ ...LOST, times: 4 }], 5],
		['500', [{ status: 500, times: 1 }], 2],
		['403 after a drop', [LOST, { status: 403, times: 1 }], 3],
	])('a deletion that may have been done in an earlier attempt is done: %s', async (...row) => {
		const [, [lost, ...others], requests] = row;
		const { id } = studio.service.assets[0]!;
		studio.service.injectFault({ ...lost, afterEffect: true });
		others.forEach((fault) => studio.service.injectFault(fault));
		const { json } = await studio.run(deleteAsset(id), { settings });
		expect(json).toMatchObject([{ deleted: true, id, note: expect.any(String) as string }]);
		expect(studio.getRoutes()).toHaveLength(requests);
	});
});

describe('with Retry On Fail, a name stands for what it stood for at first', () => {
	const assetId = createLocator('={{ "Slide " + $json.number }}', 'name');
	const setNames = (...names: string[]) => {
		const added = studio.service.addAssets(names.length);
		studio.service.assets = added.map((asset, at) => ({ ...asset, name: names[at]! }));
	};
	const getNames = () => studio.service.assets.map(({ name }) => name);

	it('unless it stood for none', async () => {
		studio.service.injectFault({ when: { path: '/v1/voices' }, body: { voices: [] }, times: 1 });
		const parameters = createVideo({ voiceId: createLocator('Ryan', 'name') });
		await studio.run(parameters, { settings });
		expect(studio.service.videos).toHaveLength(1);
	});

	it('though the run gave the name to another one', async () => {
		setNames('Slide 1', 'Slide 2', 'Slide 3');
		const { id } = studio.service.assets[1]!;
		const when = { path: `/v1/assets/${id}`, method: 'PATCH' };
		studio.service.injectFault({ when, status: 500, times: 1, afterEffect: true });
		const items = [1, 2, 3].map((number) => ({ json: { number } }));
		const name = '={{ "Slide " + ($json.number + 1) }}';
		const { json } = await studio.run(updateAsset('', { assetId, name }), { items, settings });
		expect(getNames()).toStrictEqual(['Slide 2', 'Slide 3', 'Slide 4']);
		expect(json[1]!.id).toBe(id);
	});
});

describe('with Retry On Fail and Retry If Outcome Is Unknown', () => {
	const option = { retryUnknownOutcome: true };
	const video = () => createVideo({ options: option });

	it.each([
		['video', video(), () => studio.service.videos],
		['speech', createSpeech({ options: option }), () => studio.service.speeches],
	])(
		'a %s whose response is lost is requested again, and the option is not sent',
		async (_what, parameters, made) => {
			studio.service.injectFault(LOST);
			await studio.run(parameters, { settings });
			expect(made()).toHaveLength(1);
			expect(studio.getRoutes()).toHaveLength(2);
			expect(JSON.stringify(studio.service.requests)).not.toContain('retryUnknownOutcome');
		},
	);

	it.each<[string, Fault[], made: number]>([
		['every response is lost', [{ ...unknown, times: 3 }], 3],
		['a response is lost and then the request refused', [unknown, { status: 422 }], 1],
	])('the error says that a video may exist if %s', async (_what, faults, made) => {
		faults.forEach((fault) => studio.service.injectFault(fault));
		const text = await studio.getFailure(video(), { settings });
		expect(studio.service.videos).toHaveLength(made);
		expect(text).toContain('The video may exist');
		expect(text).not.toContain('try again');
	});
});

describe("as an agent's tool, with Retry On Fail", () => {
	const SCRIPT = "={{ $fromAI('Script') }}";
	const script = { Script: 'Hello' };

	it('a call that is repeated pays once, and the agent reads the first result again', async () => {
		const calls = [script, script, { Script: 'Bye' }];
		const answers = await studio.call(createSpeech({ script: SCRIPT }), calls, { settings });
		expect(getSpokenScripts()).toEqual(['Hello', 'Bye']);
		expect(answers[1]).toContain(`"success":true`);
	});

	it.each([
		['is made again if it wants', [false, true, true], 2, `"success":true`],
		['is not made again if it does not', [true, false], 1, 'may exist'],
	])('a call whose earlier one has an unknown outcome %s', async (_what, retries, made, answer) => {
		const retryUnknownOutcome = '={{ $fromAI("retry", "", "boolean") }}';
		studio.service.injectFault(unknown);
		const calls = retries.map((retry) => ({ retry }));
		const parameters = createSpeech({ options: { retryUnknownOutcome } });
		const answers = await studio.call(parameters, calls, { settings });

		expect(studio.service.speeches).toHaveLength(made);
		expect(answers.at(-1)).toContain(answer);
	});
});

test('The record of executed items ends with the run: a loop sends everything again in each round', async () => {
	const { run } = await studio.run(...createSpeeches(2, { rounds: 3 }));
	expect(run.data.resultData.runData['Avatar Studio']).toHaveLength(3);
	const thrice = (script: string) => Array<string>(3).fill(script);
	expect(getSpokenScripts().sort()).toEqual([...thrice('Script 0'), ...thrice('Script 1')]);
});
