import type { INodeParameters } from 'n8n-workflow';

import { NODE } from '../support/engine/engine';
import {
	createSpeech,
	createVideo,
	deleteAsset,
	getAsset,
	getAssets,
	importAsset,
	SOME_ID,
	updateAsset,
	VOICE,
} from '../support/parameters';
import { getApiRequests } from '../support/requests';
import { useStudio } from '../support/studio';

const studio = useStudio();

const X = '={{ $json.x }}';
const input = (...values: (string | number)[]) =>
	values.map((x, number) => ({ json: { x, number } }));
const assetIds = (count: number) => studio.service.assets.slice(0, count).map(({ id }) => id);

test('Each item is processed with its own values, in the order of the items', async () => {
	const ids = assetIds(5);
	const { json, items } = await studio.run(getAsset(X), { items: input(...ids) });
	expect(json.map(({ id }) => id)).toStrictEqual(ids);
	expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual(ids.map((_, item) => ({ item })));
	expect(studio.getRoutes().sort()).toStrictEqual(ids.map((id) => `GET /v1/assets/${id}`).sort());
});

test('Every kind of field accepts an expression for each item', async () => {
	await studio.run(
		createVideo({
			videoTitle: '={{ $json.title }}',
			script: '=Hello {{ $json.title.toUpperCase() }}!',
			avatarId: '={{ $json.avatar }}',
			voiceId: { __rl: true, mode: 'id', value: '={{ $json.voice }}' },
			additionalFields: {
				videoWidth: '={{ $json.width * 2 }}',
				draft: '={{ $json.width > 700 }}',
				status: '={{ $json.title }}-status',
				customBody: '={{ JSON.stringify({ visibility: $json.title }) }}',
			},
		}),
		{
			items: [
				{ json: { title: 'one', avatar: SOME_ID, voice: VOICE, width: 640 } },
				{ json: { title: 'two', avatar: SOME_ID, voice: 'me-en-US-aria', width: 720 } },
			],
		},
	);
	const bodies = getApiRequests(studio).map(({ body }) => body as { videoTitle: string });
	expect(bodies.sort((a, b) => a.videoTitle.localeCompare(b.videoTitle))).toStrictEqual([
		{
			videoTitle: 'one',
			script: 'Hello ONE!',
			avatarId: SOME_ID,
			voiceId: VOICE,
			videoWidth: 1280,
			draft: false,
			status: 'one-status',
			visibility: 'one',
		},
		{
			videoTitle: 'two',
			script: 'Hello TWO!',
			avatarId: SOME_ID,
			voiceId: 'me-en-US-aria',
			videoWidth: 1440,
			draft: true,
			status: 'two-status',
			visibility: 'two',
		},
	]);
});

test('Items with the same values still send one request each', async () => {
	const { items } = await studio.run(createSpeech(), { items: input(1, 2, 3) });
	expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual([
		{ item: 0 },
		{ item: 1 },
		{ item: 2 },
	]);
	expect(studio.service.speeches).toHaveLength(3);
});

test('Every item of a list is linked to the input item that requested it', async () => {
	const { json, items } = await studio.run(getAssets({ limit: X }), { items: input(1, 3, 2) });
	expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual(
		[0, 1, 1, 1, 2, 2].map((item) => ({ item })),
	);
	const ids = assetIds(3);
	expect(json.map(({ id }) => id)).toStrictEqual([ids[0], ...ids, ...ids.slice(0, 2)]);
});

/** Item 1 of these three fails, the others succeed. */
const oneFails: Record<string, (ids: string[]) => [parameters: INodeParameters, values: string[]]> =
	{
		'Asset: Get': ([one, other]) => [getAsset(X), [one!, SOME_ID, other!]],
		'Asset: Update': ([one, other]) => [updateAsset(X, { name: 'New' }), [one!, SOME_ID, other!]],
		'Asset: Delete': ([one, other]) => [deleteAsset(X), [one!, SOME_ID, other!]],
		'Asset: Import From URL': () => {
			const { filesUrl } = studio.service;
			return [
				importAsset({ fileUrl: `=${filesUrl}/{{ $json.x }}` }),
				['sized/1', 'none', 'sized/2'],
			];
		},
		'Speech: Create': () => [
			createSpeech({ voiceId: { __rl: true, mode: 'id', value: X } }),
			[VOICE, 'nobody', VOICE],
		],
		'Video: Create': () => [createVideo({ avatarId: X }), [SOME_ID, 'not an ID', SOME_ID]],
	};

/** A value that is refused before anything is sent comes without a status. */
const httpCodeOf = (operation: string) =>
	operation === 'Video: Create' ? {} : { httpCode: expect.any(Number) as number };

test.each(Object.entries(oneFails))(
	'%s puts a failed item on the error output, linked and with its input fields',
	async (operation, prepare) => {
		const [parameters, values] = prepare(assetIds(2));
		const { items, errorItems } = await studio.run(parameters, {
			items: input(...values),
			settings: { onError: 'continueErrorOutput' },
		});
		expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual([{ item: 0 }, { item: 2 }]);
		expect(items.every(({ json }) => !('error' in json))).toBe(true);
		expect(errorItems).toStrictEqual([
			{
				json: {
					x: values[1],
					number: 1,
					error: expect.stringContaining('[item 1]'),
					message: expect.any(String),
					nextStep: expect.stringMatching(/\w/),
					...httpCodeOf(operation),
					code: expect.any(String),
					mayExist: false,
				},
				pairedItem: { item: 1 },
			},
		]);
	},
);

test.each(Object.entries(oneFails))(
	'%s continues after a failed item, in the order of the items',
	async (operation, prepare) => {
		const [parameters, values] = prepare(assetIds(2));
		const { items, json, errorItems } = await studio.run(parameters, {
			items: input(...values),
			settings: { onError: 'continueRegularOutput' },
		});
		expect(errorItems).toStrictEqual([]);
		expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(json.map((entry) => 'error' in entry)).toStrictEqual([false, true, false]);
		expect(Object.keys(json[1]!)).toStrictEqual([
			'error',
			'message',
			'nextStep',
			...Object.keys(httpCodeOf(operation)),
			'code',
			'mayExist',
		]);
	},
);

test('A failed item has separate fields for what happened, what to do and the status', async () => {
	studio.service.injectFault({ status: 422, body: { detail: 'Too long.', limit: 10 } });
	const { json } = await studio.run(createSpeech(), {
		settings: { onError: 'continueRegularOutput' },
	});
	expect(json).toStrictEqual([
		{
			error:
				'The service rejected the request (422): Too long. Correct the values of this item and try again.',
			message: 'The service rejected the request (422): Too long',
			nextStep: 'Correct the values of this item and try again.',
			httpCode: 422,
			code: 'rejected',
			mayExist: false,
		},
	]);
});

test('As a tool of an AI agent, the node returns an error as text the model can read', async () => {
	const { json } = await studio.run(getAsset(SOME_ID), {
		settings: { type: `${NODE}Tool`, retryOnFail: true, waitBetweenTries: 1 },
	});
	expect(json).toStrictEqual([{ error: expect.stringContaining(`There is no asset ${SOME_ID}`) }]);
});

/** n8n evaluates every expression before it calls the node, and does not link its error item. */
test('An expression that cannot be evaluated for one item fails only that item', async () => {
	const { items, errorItems } = await studio.run(
		createSpeech({ script: '={{ $json.x === "bad" ? $("Nowhere").item.json.x : $json.x }}' }),
		{ items: input('Good day', 'bad', 'Bye'), settings: { onError: 'continueErrorOutput' } },
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual([{ item: 0 }, { item: 2 }]);
	expect(errorItems).toHaveLength(1);
	expect(errorItems[0]!.json.error).toContain("Referenced node doesn't exist");
	expect(studio.service.speeches.map(({ script }) => script).sort()).toStrictEqual([
		'Bye',
		'Good day',
	]);
});

test('Without input items, nothing is sent', async () => {
	const { items } = await studio.run(createSpeech(), { items: [] });
	expect(items).toStrictEqual([]);
	expect(studio.service.requests).toStrictEqual([]);
});
