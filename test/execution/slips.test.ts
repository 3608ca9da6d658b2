import type { INodeParameters } from 'n8n-workflow';

import {
	CONTINUE,
	createLocator,
	createSpeech,
	createVideo,
	getAssets,
	getVoices,
	importAsset,
	SOME_ID,
	VOICE,
} from '../support/parameters';
import { getOnlyRequest } from '../support/requests';
import { useStudio } from '../support/studio';

// What a model writes into a workflow's JSON that the editor would never store. n8n checks none of it.

const studio = useStudio();

const ofAsset =
	'of asset does not exist. There is getAll, get, upload, importFromUrl, download, update, delete';
const RESOURCES = 'does not exist. There is video, speech, avatar, voice, asset';
const BY_EXPRESSION = 'an expression, which n8n does not evaluate for this field. Enter its value.';
const FILE = { fileUrl: 'https://example.com/a.png' };
const importFile = (given: INodeParameters = {}) => importAsset({ ...FILE, ...given });
const NO_OBJECT = 'must be an object, neither text nor a list. Available:';
const IS_EMPTY = 'is empty. Enter a value. If an expression returned nothing';
const FROM_AI = "={{ $fromAI('text') }}";
const CODE = '{{ $json.text }}';
const unevaluated = (label: string) =>
	`${label} contains {{ … }}, which n8n did not evaluate: switch the field to Expression.`;

type Build = typeof getAssets;
/** Rows of parameters that no user would enter, of one operation, and the message about them. */
const listFor = (build: Build, rows: [INodeParameters, words: string][]) =>
	rows.map(([given, words]): [INodeParameters, string, Build] => [given, words, build]);

const refused = [
	...listFor(createVideo, [
		[{ operation: 'getAll' }, 'Operation "getAll" of video does not exist. There is create'],
		[{ resource: '={{ $json.x }}' }, `Resource is ${BY_EXPRESSION}`],
		[{ additionalFields: { videoFormat: CODE } }, unevaluated('Format')],
		[
			{ additionalFields: { dryRun: true } },
			'Additional Fields has no "dryRun". It is in Options.',
		],
		[{ additionalFields: [{ draft: true }] }, `Additional Fields ${NO_OBJECT} backgroundColor, `],
		[{ options: { dry_run: true } }, 'Options has no "dry_run". Available: dryRun, downloadFile, '],
		[{ options: '={{ ({ dry_run: true }) }}' }, 'Options has no "dry_run". Available: dryRun, '],
		[{ options: '{"dryRun":true}' }, `Options ${NO_OBJECT} dryRun, `],
		[{ options: '={{ $json.x }}' }, `Options ${IS_EMPTY}`],
	]),
	...listFor(createSpeech, [
		[{ resource: 'Speech' }, `Resource "Speech" ${RESOURCES}`],
		[{ script: `Hi ${CODE}` }, unevaluated('Script')],
		[{ script: FROM_AI.slice(1) }, unevaluated('Script')],
		[{ options: { customBody: `{"a":"${CODE}"}` } }, unevaluated('Custom Body')],
		[{ options: { customBody: { list: [{ script: CODE }] } } }, unevaluated('Custom Body')],
		[{ voiceId: { value: VOICE } }, 'Voice must be text'],
		[{ voiceId: createLocator(CODE, 'name') }, unevaluated('Voice')],
		[{ voiceId: CODE }, unevaluated('Voice')],
	]),
	...listFor(getVoices, [
		[{ resource: 'voices' }, `Resource "voices" ${RESOURCES}`],
		[{ filters: { gender: 'woman' } }, 'Gender must be one of female, male.'],
	]),
	...listFor(importFile, [
		[{ type: 'picture' }, 'Type must be one of Audio, custom, detect, Image, Music, Video.'],
	]),
	...listFor(getAssets, [
		[{ operation: 'getMany' }, `Operation "getMany" ${ofAsset}`],
		[{ operation: 'rename' }, `Operation "rename" ${ofAsset}`],
		[{ operation: 'Get' }, `Operation "Get" ${ofAsset}`],
		[{ operation: '' }, 'Operation of asset is empty. There is getAll, '],
		// n8n's own option.
		[{ operation: '__CUSTOM_API_CALL__' }, `Operation "__CUSTOM_API_CALL__" ${ofAsset}`],
		// n8n drops the "=" of all, except before $fromAI alone.
		...["={{ 'get' }}", '{{ "getAll" }}', '={{ $json.x }}', '=get{{ "All" }}'].map(
			(operation): [INodeParameters, string] => [{ operation }, `Operation is ${BY_EXPRESSION}`],
		),
		[{ resource: '{{ "asset" }}' }, `Resource is ${BY_EXPRESSION}`],
		[{ resource: '={{ "asset" }}' }, `Resource is ${BY_EXPRESSION}`],
		[{ limit: CODE }, unevaluated('Limit')],
		[{ options: { firstPage: '2' } }, 'First Page must be one of auto, 0, 1.'],
		[{ filters: { nameContains: CODE } }, unevaluated('Name Contains')],
		[{ filters: { kinds: ['a'] } }, 'Types must be a list of audio, image, music, video.'],
		[{ filters: { name: 'a' } }, 'Filters has no "name". Available: nameContains, kinds.'],
		[{ filters: '{"nameContains":"a"}' }, `Filters ${NO_OBJECT} nameContains, kinds.`],
		[{ filters: '={{ $json.x }}' }, 'Filters is empty. Enter a value.'],
		[{ filters: '={{ ({ nameContains: $json.x }) }}' }, 'Name Contains is empty. Enter a value.'],
	]),
];

test.each(refused)(
	'A node with %j is refused before anything is sent: %s',
	async (given, words, build) => {
		const parameters = build(given);
		expect(await studio.getFailure(parameters)).toContain(words);
		const twice = [{ json: {} }, { json: {} }];
		const { items } = await studio.run(parameters, { items: twice, ...CONTINUE });
		const error = expect.stringContaining(words.split(/\. |\.$/)[0]!);
		const errorDetails = { code: 'invalidValue', mayExist: false };
		expect(items).toMatchObject([
			{ json: { error, errorDetails }, pairedItem: { item: 0 } },
			{ json: { error }, pairedItem: { item: 1 } },
		]);
		const [answer] = await studio.call(parameters, [{ text: 'video' }]);
		expect(JSON.parse(answer!)).toEqual([{ error: expect.stringContaining(words) }]);
		expect(studio.service.requests).toStrictEqual([]);
	},
);

const SCRIPT = { script: 'Hello there', voiceId: VOICE };
const FIELDS = { ...SCRIPT, videoTitle: 'Welcome', avatarId: SOME_ID };
const WITH_CODE = { ...SCRIPT, script: CODE };
const IMPORTED = { ...FILE, name: 'Portrait', type: 'Image' };
const BRACES = 'Costs {{5}} $ {{ or }} more';

const understood: [INodeParameters, sent: object, Build][] = [
	[{ voiceId: VOICE }, SCRIPT, createSpeech],
	[{ voiceId: '={{ $json.voice }}' }, SCRIPT, createSpeech],
	[{ voiceId: '={{ $json.locator }}' }, SCRIPT, createSpeech],
	[{ voiceId: { mode: 'id', value: VOICE } }, SCRIPT, createSpeech],
	[{ voiceId: { mode: 'By ID', value: VOICE } }, SCRIPT, createSpeech],
	// What every object has.
	[{ voiceId: { mode: 'toString', value: VOICE } }, SCRIPT, createSpeech],
	[{ type: ' IMAGE' }, IMPORTED, importFile],
	[{ type: 'Detect From URL' }, IMPORTED, importFile],
	// What an expression returns may contain braces, and a text other ones.
	[{ script: '={{ $json.code }}' }, WITH_CODE, createSpeech],
	[{ script: BRACES }, { ...SCRIPT, script: BRACES }, createSpeech],
	[{ options: { customBody: { script: '={{ $json.code }}' } } }, WITH_CODE, createSpeech],
	[{ additionalFields: '={{ $json.fields }}' }, { ...FIELDS, draft: false }, createVideo],
	[{ additionalFields: '={{ $json.none }}' }, FIELDS, createVideo],
	// The editor keeps these, and does not show them, when the user chooses another operation.
	[{ options: { firstPage: '1', linkField: 'url' } }, SCRIPT, createSpeech],
];

test.each(understood)('A node with %j is understood', async (given, sent, build) => {
	const locator = { mode: 'id', value: VOICE };
	const json = { voice: VOICE, locator, code: CODE, fields: { draft: false } };
	studio.service.injectFault({ when: { path: '/v1/assets/import/url' }, body: {} });
	await studio.run(build(given), { items: [{ json }] });
	expect(getOnlyRequest(studio).body).toStrictEqual(sent);
});

test('Labels are understood in lists and collections', async () => {
	const filters = { kinds: ['Image', 'MUSIC'] };
	const { items } = await studio.run(getAssets({ filters, options: { firstPage: 'page 1' } }));
	expect(items).not.toHaveLength(0);
	expect(studio.apiRequests[0]!.url).toContain('Page=1');
});

test('Options and filters may come from one expression', async () => {
	const options = '={{ ({ dryRun: true }) }}';
	const { json } = await studio.run(createVideo({ options }));
	expect(json).toMatchObject([{ request: { method: 'POST' } }]);
	const { name } = studio.service.assets[0]!;
	const filters = '={{ $json }}';
	const items = [{ json: { nameContains: name } }];
	const found = await studio.run(getAssets({ filters }), { items });
	expect(found.json).toMatchObject([{ name }]);
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
