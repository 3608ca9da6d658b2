import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { getError, getErrorText, getNodeType, NODE } from '../support/engine/engine';
import {
	createIdItems,
	createScriptItems,
	createSpeech,
	createSpeeches,
	createVideo,
	deleteAsset,
	getAllAssets,
	getAsset,
	importAsset,
	ITEM_SCRIPT,
} from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();
const clock = useClock();
beforeEach(() => clock.run(10));
const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** An operation of the node as n8n loads it. */
function findOperation(resource: string, value: string): INodePropertyOptions {
	const { properties } = getNodeType(NODE).description;
	const operations = properties.filter(
		({ name, displayOptions }) =>
			name === 'operation' && displayOptions?.show?.resource?.includes(resource),
	);
	return operations
		.flatMap(({ options = [] }) => options as INodePropertyOptions[])
		.find((option) => option.value === value)!;
}

const getSpokenScripts = () => studio.service.speeches.map(({ script }) => script);
const sentScripts = () =>
	studio.service.requests.map(({ body }) => (body as { script: string }).script);

describe('with Retry On Fail', () => {
	it('three items, one of them invalid, take five requests, not nine', async () => {
		const [one, two] = studio.service.assets;
		const items = createIdItems([one!, { id: NOWHERE }, two!]);
		const error = await getError(studio.run(getAsset(), { items, settings: RETRY }));
		const asked = studio.service.requests.map(({ path }) => path.split('/').at(-1));

		expect(getErrorText(error)).toContain('[item 1]');
		expect(asked.filter((id) => id === NOWHERE)).toHaveLength(3);
		expect(asked).toHaveLength(5);
	});

	it('no speech is created twice because another item failed', async () => {
		studio.service.injectFault({
			when: ({ body }) => (body as { script: string }).script === 'Script 1',
			status: 422,
		});
		const error = await getError(studio.run(...createSpeeches(3, { settings: RETRY })));

		expect(error.httpCode).toBe('422');
		expect(sentScripts()).toHaveLength(5);
		expect(getSpokenScripts().sort()).toEqual(['Script 0', 'Script 2']);
	});

	it('earlier results are returned with later ones, each linked to its own item', async () => {
		studio.service.injectFault({
			when: ({ body }) => (body as { script: string }).script === 'Script 1',
			status: 422,
			times: 2,
		});
		studio.service.configure({ speechResponse: 'link' });
		const { items } = await studio.run(...createSpeeches(3, { settings: RETRY }));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect(items.map(({ json }) => json.id)).toEqual(
			['Script 0', 'Script 1', 'Script 2'].map(
				(script) => studio.service.speeches.find((speech) => speech.script === script)!.id,
			),
		);
	});

	it.each([
		['a dropped connection', { disconnect: 'beforeResponse' }],
		['500', { status: 500 }],
		['502', { status: 502 }],
		['a response that is not JSON', { body: '{', headers: { 'content-type': 'application/json' } }],
	] as const)('a video is not created again after %s', async (_failure, fault) => {
		studio.service.injectFault({ ...fault, times: 1, afterEffect: true });
		const error = await getError(studio.run(createVideo(), { settings: RETRY }));

		expect(studio.getRoutes()).toHaveLength(1);
		expect(studio.service.videos).toHaveLength(1);
		expect(getErrorText(error)).toContain('may exist');
	});

	it.each([301, 302, 303])(
		'a video is not created again after a redirect (%i), which may follow a success',
		async (status) => {
			studio.service.injectFault({
				status,
				headers: { location: '/v1/assets' },
				afterEffect: true,
			});
			const error = await getError(studio.run(createVideo(), { settings: RETRY }));

			expect(studio.service.videos).toHaveLength(1);
			expect(getErrorText(error)).toContain('may exist');
		},
	);

	it.each([307, 308])(
		'a video is requested again after a redirect (%i), which means that it was not created',
		async (status) => {
			studio.service.injectFault({ status, headers: { location: '/v1/assets' }, times: 2 });
			await studio.run(createVideo(), { settings: RETRY });
			expect(studio.service.videos).toHaveLength(1);
			expect(studio.getRoutes()).toHaveLength(3);
		},
	);

	it.each<[string, Fault, number]>([
		['dropped connection', { disconnect: 'beforeResponse' }, 4],
		['500', { status: 500 }, 1],
		['503', { status: 503 }, 4],
	])(
		'a deletion whose outcome stays unknown in every attempt counts as done (%s)',
		async (_how, fault, times) => {
			const { id } = studio.service.assets[0]!;
			studio.service.injectFault({ ...fault, times, afterEffect: true });
			const { json } = await studio.run(deleteAsset(id), { settings: RETRY });
			expect(json).toEqual([{ deleted: true, id }]);
			expect(studio.getRoutes()).toHaveLength(times + 1);
		},
	);

	it('a deletion that was interrupted and then refused with 403 counts as done', async () => {
		const { id } = studio.service.assets[0]!;
		studio.service.injectFault({ disconnect: 'beforeResponse', times: 1, afterEffect: true });
		studio.service.injectFault({ status: 403, times: 1 });
		const { json } = await studio.run(deleteAsset(id), { settings: RETRY });
		expect(json).toEqual([{ deleted: true, id }]);
	});

	it('a deletion that was interrupted before another item failed counts as done', async () => {
		const items = createIdItems(studio.service.assets.slice(0, 2));
		const when = ({ path }: { path: string }) => path.endsWith(items[0]!.json.id);
		studio.service.injectFault({
			when,
			disconnect: 'beforeResponse',
			times: 1,
			afterEffect: true,
		});
		// It arrives before the first item is tried again.
		studio.service.injectFault({ status: 422, times: 1, latencyMs: 20 });
		const { json } = await studio.run(deleteAsset(), { items, settings: RETRY });
		expect(json).toHaveLength(2);
		expect(studio.getRoutes()).toHaveLength(4);
	});

	it('an interrupted deletion does not make another failed one count as done', async () => {
		const items = createIdItems([studio.service.assets[0]!, { id: NOWHERE }]);
		studio.service.injectFault({
			when: ({ path }) => !path.endsWith(NOWHERE),
			status: 500,
			times: 1,
			afterEffect: true,
		});
		const error = await getError(studio.run(deleteAsset(), { items, settings: RETRY }));

		expect(error.httpCode).toBe('404');
	});

	it('a video whose request was refused is requested again', async () => {
		studio.service.injectFault({ status: 401, times: 2 });
		await studio.run(createVideo(), { settings: RETRY });
		expect(studio.service.videos).toHaveLength(1);
		expect(studio.getRoutes()).toHaveLength(3);
	});

	it('with On Error: Continue, a failed first item does not repeat the others', async () => {
		studio.service.injectFault({
			when: ({ body }) => (body as { script: string }).script === 'Script 0',
			status: 422,
		});
		const { items } = await studio.run(
			...createSpeeches(4, { settings: { ...RETRY, onError: 'continueRegularOutput' } }),
		);

		expect(items).toHaveLength(4);
		expect(sentScripts()).toHaveLength(6);
		expect(getSpokenScripts().sort()).toEqual(['Script 1', 'Script 2', 'Script 3']);
	});

	it('a list is read again from its first page and returned once', async () => {
		studio.service.injectFault({ status: 500, times: 2 });
		const { json } = await studio.run(getAllAssets(), { settings: RETRY });
		expect(json).toHaveLength(studio.service.assets.length);
	});

	it.each(['={{ JSON.parse("x") }}', '={{ $json.a.b.c.d() }}', '={{ $json.script.nope() }}'])(
		'an expression that cannot be evaluated (%s) creates no speech twice',
		async (expression) => {
			studio.service.configure({ latencyMs: 50 });
			const items = createScriptItems(6);
			items[4] = { json: { script: 'bad' } };
			// n8n stops halfway, while the first four are in flight.
			const script = `={{ $json.script === "bad" ? ${expression.slice(3, -2)} : $json.script }}`;
			const error = await getError(
				studio.run(createSpeech({ script }), { items, settings: RETRY }),
			);
			await studio.service.waitUntilIdle();

			expect(error).toBeDefined();
			expect(new Set(getSpokenScripts()).size).toBe(getSpokenScripts().length);
			expect(sentScripts()).toHaveLength(new Set(sentScripts()).size);
		},
	);

	it('with On Error: Continue, an invalid expression fails only its own item', async () => {
		const items = createScriptItems(4);
		items[2] = { json: { script: 'bad' } };
		const { items: out } = await studio.run(
			createSpeech({ script: '={{ $json.script === "bad" ? JSON.parse("x") : $json.script }}' }),
			{ items, settings: { ...RETRY, onError: 'continueRegularOutput' } },
		);

		expect(out.map(({ json }) => json.error !== undefined)).toEqual([false, false, true, false]);
		expect(getSpokenScripts()).toHaveLength(3);
	});
});

describe('with Retry On Fail and Retry If Outcome Is Unknown', () => {
	const option = { retryUnknownOutcome: true };
	const fileUrl = () => `${studio.service.filesUrl}/sized/1000`;

	it.each<[string, () => INodeParameters, () => unknown[]]>([
		[
			'a video',
			() => ({ ...createVideo(), additionalFields: option }),
			() => studio.service.videos,
		],
		['a speech', () => ({ ...createSpeech(), options: option }), () => studio.service.speeches],
		[
			'an asset',
			() => ({ ...importAsset({ fileUrl: fileUrl() }), options: option }),
			() => studio.service.assets.slice(5),
		],
	])(
		'%s whose response is lost is requested again, and the option is not sent',
		async (_what, parameters, made) => {
			studio.service.injectFault({ disconnect: 'beforeResponse', times: 1 });
			await studio.run(parameters(), { settings: RETRY });
			expect(made()).toHaveLength(1);
			expect(studio.getRoutes()).toHaveLength(2);
			expect(JSON.stringify(studio.service.requests)).not.toContain('retryUnknownOutcome');
		},
	);

	it('the error says that a video may exist if every response is lost', async () => {
		studio.service.injectFault({ disconnect: 'beforeResponse', afterEffect: true });
		const error = await getError(
			studio.run({ ...createVideo(), additionalFields: option }, { settings: RETRY }),
		);

		expect(studio.service.videos).toHaveLength(3);
		expect(getErrorText(error)).toContain('The video may exist');
		expect(getErrorText(error)).not.toContain('not sent again');
	});

	it('the error says that a video may exist after a lost response and a refusal', async () => {
		studio.service.injectFault({ disconnect: 'beforeResponse', times: 1, afterEffect: true });
		studio.service.injectFault({ status: 422 });
		const error = await getError(
			studio.run({ ...createVideo(), additionalFields: option }, { settings: RETRY }),
		);

		expect(error.httpCode).toBe('422');
		expect(getErrorText(error)).toContain('The video may exist');
	});

	it('a speech that came as a file is not requested again because n8n cannot store it', async () => {
		studio.service.configure({ speechResponse: 'file' });
		const store = jest
			.spyOn(Container.get(BinaryDataService), 'store')
			.mockRejectedValue(new Error('No space left'));
		await getError(studio.run(createSpeech({ options: option }), { settings: RETRY }));
		store.mockRestore();

		expect(studio.service.speeches).toHaveLength(1);
	});

	it('the error of another item counts one that was made at last as made only', async () => {
		const when = ({ body }: { body?: unknown }) => JSON.stringify(body).includes('Script 1');
		studio.service.injectFault({ when, status: 422 });
		studio.service.injectFault({ disconnect: 'beforeResponse', times: 1 });
		const error = await getError(
			studio.run(createSpeech({ script: ITEM_SCRIPT, options: option }), {
				items: createScriptItems(2),
				settings: RETRY,
			}),
		);

		expect(getErrorText(error)).toContain('1 other item was created in this run');
	});

	it('a video is still sent once by the node itself', async () => {
		studio.service.injectFault({ status: 503, times: 1, afterEffect: true });
		await getError(studio.run({ ...createVideo(), additionalFields: option }));

		expect(studio.service.videos).toHaveLength(1);
		expect(studio.getRoutes()).toHaveLength(1);
	});
});

describe("as an agent's tool, with Retry On Fail", () => {
	const SCRIPT = "={{ $fromAI('Script') }}";
	const script = { Script: 'Hello' };

	// As a tool, the node returns its errors. As another type it throws them, and n8n retries it.
	it.each([`${NODE}Tool`, 'test.avatarStudio'])(
		'(%s) a video with an unknown outcome is created once, and the agent reads that it may exist',
		async (type) => {
			studio.service.injectFault({ disconnect: 'beforeResponse', times: 1, afterEffect: true });
			const [answer] = await studio.call(createVideo({ script: SCRIPT }), [script], {
				settings: { ...RETRY, type },
			});

			expect(studio.service.videos).toHaveLength(1);
			expect(studio.getRoutes()).toHaveLength(1);
			expect(answer).toContain('may exist');
		},
	);

	it('the agent reads that a video was refused and decides whether to retry', async () => {
		studio.service.injectFault({ status: 401, times: 1 });
		const [refused, made] = await studio.call(createVideo({ script: SCRIPT }), [script, script], {
			settings: RETRY,
		});

		expect(refused).toContain('(401)');
		expect(studio.service.videos).toHaveLength(1);
		expect(made).toContain(studio.service.videos[0]!.id);
	});

	it.each([
		['another one', [script, script, { Script: 'Bye' }], ['Hello', 'Bye']],
		['no arguments', [{}, {}], ['Hello']],
	])(
		'a call that is repeated pays once, and the agent reads so (%s)',
		async (_what, calls, spoken) => {
			const first = calls[0] === script ? SCRIPT : 'Hello';
			const answers = await studio.call(createSpeech({ script: first }), calls, {
				settings: RETRY,
			});
			expect(getSpokenScripts()).toEqual(spoken);
			expect(answers[1]).toContain('Nothing was created by this call');
			expect(answers[1]).toContain(`"success":true`);
			expect(answers[0]).not.toContain('Nothing was created');
		},
	);

	it('a call that is repeated after an unknown outcome creates nothing more', async () => {
		studio.service.injectFault({ disconnect: 'beforeResponse', times: 1, afterEffect: true });
		const answers = await studio.call(createVideo({ script: 'Hello' }), [{}, {}]);
		expect(studio.service.videos).toHaveLength(1);
		expect(answers.map((answer) => answer.includes('may exist'))).toStrictEqual([true, true]);
	});

	it('another execution creates again', async () => {
		for (const round of [1, 2]) {
			await studio.call(createSpeech({ script: 'Hello' }), [{}]);
			expect(studio.service.speeches).toHaveLength(round);
		}
	});
});

describe('the record of executed items', () => {
	it('ends with the run: a loop sends everything again in each round', async () => {
		const { run } = await studio.run(...createSpeeches(2, { rounds: 3 }));
		expect(run.data.resultData.runData['Avatar Studio']).toHaveLength(3);
		expect(getSpokenScripts().sort()).toEqual([
			'Script 0',
			'Script 0',
			'Script 0',
			'Script 1',
			'Script 1',
			'Script 1',
		]);
	});

	it('ends with the run: a new execution sends everything again', async () => {
		const items = createScriptItems(2);
		await studio.run(createSpeech({ script: ITEM_SCRIPT }), { items, settings: RETRY });
		await studio.run(createSpeech({ script: ITEM_SCRIPT }), { items, settings: RETRY });

		expect(getSpokenScripts()).toHaveLength(4);
	});

	it('keeps input items apart even if they are the same object', async () => {
		// n8n passes an item with a pairedItem on without copying it.
		const item = { ...createScriptItems(1)[0]!, pairedItem: { item: 0 } };
		const { json } = await studio.run(createSpeech({ script: '={{ "Number " + $itemIndex }}' }), {
			items: [item, item, item],
		});

		expect(json).toHaveLength(3);
		expect(getSpokenScripts().sort()).toEqual(['Number 0', 'Number 1', 'Number 2']);
	});

	it('is not affected by what n8n writes into returned items', async () => {
		corruptItems();
		studio.service.injectFault({
			when: ({ path }) => path.endsWith(NOWHERE),
			status: 404,
			times: 1,
		});
		studio.service.injectFault({
			when: ({ path }) => path.endsWith(NOWHERE),
			body: { id: NOWHERE },
		});
		const [asset] = studio.service.assets;
		const items = createIdItems([asset!, { id: NOWHERE }]);
		const { items: out } = await studio.run(getAsset(), { items, settings: RETRY });

		expect(out.map(({ json }) => json.id)).toEqual([asset!.id, NOWHERE]);
		expect(out.map((item) => 'spoiled' in item)).toEqual([true, true]);
	});

	/** Modifies every item as soon as n8n receives it, and again if it was modified before. */
	function corruptItems(): void {
		const operation = findOperation('asset', 'get');
		const { pagination } = operation.routing!.operations!;
		if (typeof pagination !== 'function') throw new Error('There is no pagination function');
		operation.routing!.operations!.pagination = async function (requestData) {
			const items = await pagination.call(this, requestData);
			for (const item of items) {
				if ('spoiled' in item) item.json = { id: 'spoiled' };
				Object.assign(item, { spoiled: true });
			}
			return items;
		};
		restore = () => (operation.routing!.operations!.pagination = pagination);
	}
	let restore = (): unknown => undefined;
	afterEach(() => restore());
});
