import type { INodeParameters } from 'n8n-workflow';

import {
	createLocator,
	createSpeech,
	createVideo,
	deleteAsset,
	getAssets,
	getVoices,
	importAsset,
	VOICE,
} from '../support/parameters';
import { getOnlyRequest } from '../support/requests';
import { useStudio } from '../support/studio';

// What a model writes into a workflow's JSON that the editor would never store. n8n checks none of it.

const studio = useStudio();

const ofAsset =
	'of asset does not exist. There is getAll, get, upload, importFromUrl, download, update, delete';
const RESOURCES = 'does not exist. There is video, speech, voice, asset';
const BY_EXPRESSION = 'an expression, which n8n does not evaluate for this field. Enter its value.';
const FILE = { fileUrl: 'https://example.com/a.png' };
const FROM_AI = "={{ $fromAI('text') }}";
const CODE = '{{ $json.text }}';
const unevaluated = (label: string) =>
	`${label} contains {{ … }}, which n8n did not evaluate: switch the field to Expression.`;

const refused: [slip: string, words: string, parameters: INodeParameters][] = [
	['getMany', `Operation "getMany" ${ofAsset}`, getAssets({ operation: 'getMany' })],
	['rename', `Operation "rename" ${ofAsset}`, getAssets({ operation: 'rename' })],
	['Get', `Operation "Get" ${ofAsset}`, getAssets({ operation: 'Get' })],
	['nothing', 'Operation of asset is empty. There is getAll, ', getAssets({ operation: '' })],
	[
		'a video getAll',
		'Operation "getAll" of video does not exist. There is create',
		createVideo({ operation: 'getAll' }),
	],
	[
		"Custom API Call, which is n8n's own option",
		`Operation "__CUSTOM_API_CALL__" ${ofAsset}`,
		getAssets({ operation: '__CUSTOM_API_CALL__' }),
	],
	['Speech', `Resource "Speech" ${RESOURCES}`, createSpeech({ resource: 'Speech' })],
	['voices', `Resource "voices" ${RESOURCES}`, getVoices({ resource: 'voices' })],
	// n8n drops the "=" of both, except before $fromAI alone.
	[
		'text by expression',
		`Operation "{{ 'get' }}" ${ofAsset}`,
		getAssets({ operation: "={{ 'get' }}" }),
	],
	['an expression', `Operation is ${BY_EXPRESSION}`, getAssets({ operation: '={{ $json.x }}' })],
	[
		'an expression as well',
		`Resource is ${BY_EXPRESSION}`,
		createVideo({ resource: '={{ $json.x }}' }),
	],
	['an object without a mode', 'Voice must be text', createSpeech({ voiceId: { value: VOICE } })],
	['a script', unevaluated('Script'), createSpeech({ script: `Hi ${CODE}` })],
	['a call of an agent', unevaluated('Script'), createSpeech({ script: FROM_AI.slice(1) })],
	['an entry', unevaluated('Format'), createVideo({ additionalFields: { videoFormat: CODE } })],
	['a number', unevaluated('Limit'), getAssets({ limit: CODE })],
	[
		'JSON',
		unevaluated('Custom Body'),
		createSpeech({ options: { customBody: `{"a":"${CODE}"}` } }),
	],
	['a filter', unevaluated('Name Contains'), getAssets({ filters: { nameContains: CODE } })],
	['a locator', unevaluated('Voice'), createSpeech({ voiceId: createLocator(CODE, 'name') })],
	['a locator of text', unevaluated('Voice'), createSpeech({ voiceId: CODE })],
	[
		'a type',
		'Type must be one of Audio, custom, detect, Image, Music, Video.',
		importAsset({ ...FILE, type: 'picture' }),
	],
	[
		'a first page',
		'First Page must be one of auto, 0, 1.',
		getAssets({ options: { firstPage: '2' } }),
	],
	['a gender', 'Gender must be one of female, male.', getVoices({ filters: { gender: 'woman' } })],
	[
		'types',
		'Types must be a list of audio, image, music, video.',
		getAssets({ filters: { kinds: ['picture'] } }),
	],
];

test.each(refused)(
	'%s is refused before anything is sent: %s',
	async (_slip, words, parameters) => {
		expect(await studio.getFailure(parameters)).toContain(words);
		const settings = { onError: 'continueRegularOutput' } as const;
		const { items } = await studio.run(parameters, {
			items: [{ json: {} }, { json: {} }],
			settings,
		});
		const error = expect.stringContaining(words.split(/\. |\.$/)[0]!);
		expect(items).toMatchObject([
			{ json: { error, code: 'invalidValue', mayExist: false }, pairedItem: { item: 0 } },
			{ json: { error }, pairedItem: { item: 1 } },
		]);
		const [answer] = await studio.call(parameters, [{ text: 'video' }]);
		expect(JSON.parse(answer!)).toEqual([{ error: expect.stringContaining(words) }]);
		expect(studio.service.requests).toStrictEqual([]);
	},
);

const SCRIPT = { script: 'Hello there', voiceId: VOICE };
const understood: [slip: string, sent: object, parameters: INodeParameters][] = [
	['a text as a voice', SCRIPT, createSpeech({ voiceId: VOICE })],
	['an expression of a text', SCRIPT, createSpeech({ voiceId: '={{ $json.voice }}' })],
	['an expression of a locator', SCRIPT, createSpeech({ voiceId: '={{ $json.locator }}' })],
	['a locator without __rl', SCRIPT, createSpeech({ voiceId: { mode: 'id', value: VOICE } })],
	['a mode in words', SCRIPT, createSpeech({ voiceId: { mode: 'By ID', value: VOICE } })],
	['the mode of an object', SCRIPT, createSpeech({ voiceId: { mode: 'toString', value: VOICE } })],
	[
		'the label of a type in another case',
		{ ...FILE, name: 'Portrait', type: 'Image' },
		importAsset({ ...FILE, type: ' IMAGE' }),
	],
	[
		'a label that is not the value',
		{ ...FILE, name: 'Portrait', type: 'Image' },
		importAsset({ ...FILE, type: 'Detect From URL' }),
	],
	[
		'braces that an expression returned',
		{ ...SCRIPT, script: CODE },
		createSpeech({ script: '={{ $json.code }}' }),
	],
	[
		'other braces',
		{ ...SCRIPT, script: 'Costs {{5}} $ {{ or }} more' },
		createSpeech({ script: 'Costs {{5}} $ {{ or }} more' }),
	],
];

test.each(understood)('%s is understood', async (_slip, sent, parameters) => {
	const locator = { mode: 'id', value: VOICE };
	studio.service.injectFault({ when: { path: '/v1/assets/import/url' }, body: {} });
	await studio.run(parameters, { items: [{ json: { voice: VOICE, locator, code: CODE } }] });
	expect(getOnlyRequest(studio).body).toStrictEqual(sent);
});

test('Labels are understood in lists and collections', async () => {
	const filters = { kinds: ['Image', 'MUSIC'] };
	const { items } = await studio.run(getAssets({ filters, options: { firstPage: 'page 1' } }));
	expect(items).not.toHaveLength(0);
	expect(studio.apiRequests[0]!.url).toContain('Page=1');
});

test.each([
	['Ryan', 'list'],
	['Ryan', 'id'],
	['Ryan', 'By Name'],
	['en-GB, male', 'list'],
])('A voice %j in the mode %j is looked up, in a Dry Run as well', async (value, mode) => {
	for (const voiceId of [value, { mode, value }, { __rl: true, mode, value }]) {
		const { json } = await studio.run(createSpeech({ voiceId, options: { dryRun: true } }));
		expect(json).toMatchObject([{ request: { body: { voiceId: VOICE } } }]);
	}
});

test('An agent cannot choose the resource: n8n would merge the routes of all that have the operation', async () => {
	const [answer] = await studio.call(createVideo({ resource: FROM_AI }), [{ text: 'video' }]);
	expect(JSON.parse(answer!)).toEqual([{ error: `Resource is ${BY_EXPRESSION}` }]);
	expect(studio.service.requests).toStrictEqual([]);
});

test('What an agent wrote stays as it is', async () => {
	const parameters = createSpeech({ script: FROM_AI });
	await studio.call(parameters, [{ text: CODE }]);
	expect(getOnlyRequest(studio).body).toMatchObject({ script: CODE });
});

test('What is no slip runs as before: the mode list with an asset, and a deletion', async () => {
	const { id } = studio.service.assets[0]!;
	const { json } = await studio.run({ ...deleteAsset(), assetId: createLocator(id, 'list') });
	expect(json).toEqual([{ deleted: true, id }]);
});
