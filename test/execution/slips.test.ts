import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import { getError, getErrorText, logLines } from '../support/engine/engine';
import { events } from '../support/events';
import { byLabel, type Described, getNestedProperties, operations } from '../support/operations';
import {
	CONTINUE,
	createLocator,
	createSpeech,
	createVideo,
	deleteAsset,
	getAssets,
	getVideo,
	getVoices,
	importAsset,
	SOME_ID,
	updateAsset,
	VOICE,
} from '../support/parameters';
import { getOnlyRequest } from '../support/requests';
import { useTrigger, watchVoices } from '../support/trigger';

// What a model writes into a workflow's JSON that the editor would never store. n8n checks none of it.

const studio = useTrigger();

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

const unbraced = (label: string, text: string) =>
	`${label} is "${text}", which n8n did not evaluate: switch the field to Expression.`;
const outsideBraces = (label: string) =>
	`${label} contains a variable outside {{ … }}, which n8n did not evaluate: switch the field to Expression.`;
const containsObject = (label: string) => `${label} contains "[object Object]", because its`;
const besideOptions = (name: string) =>
	`"${name}" stands beside Options, where n8n ignores it. Write it as options.${name}.`;
const absent = (name: string) =>
	`"additionalFields" does not exist here, so n8n ignores "${name}" in it.`;
const renameAsset = (given: INodeParameters = {}) => updateAsset(SOME_ID, given);
/** What models write for a reference to the item; n8n takes each for a text. */
const REFERENCES = [
	'$json.text',
	'=$json.text',
	'={$json.text}',
	'=${$json.text}',
	'=$node["A"].json["text"]',
	"$('Form').first().json.text",
	'{{ text }}',
	"$fromAI('text')",
	"=$fromAI('text', 'What to say (in English)', 'string')",
];
/** What they write for one within a text. */
const WITHIN_TEXT = [
	'Hello ${$json.name}, welcome',
	'Hello {$json.name}, welcome',
	'=Hello $json.name, welcome',
	'=$json.first + " " + $json.last',
	'=$json.text ?? "Hello"',
	"=Hello {{ $json.name }}, $('Form').first().json.text",
];

type Build = typeof getAssets;
/** Rows of parameters that no user would enter, of one operation, and the message about them. */
const listFor = (build: Build, rows: [INodeParameters, words: string][]) =>
	rows.map(([given, words]): [INodeParameters, string, Build] => [given, words, build]);

const refused = [
	...listFor(createVideo, [
		[{ dryRun: true }, besideOptions('dryRun')],
		[{ dryRun: '={{ $json.x }}' }, besideOptions('dryRun')],
		[{ videoTitle: '=$json.title' }, unbraced('Title', '=$json.title')],
		[{ videoTitle: '={{ String({}) }}' }, containsObject('Title')],
		[{ avatarId: '<avatarId>' }, '"<avatarId>" is a placeholder.'],
		[{ avatarId: 'YOUR_AVATAR_ID' }, '"YOUR_AVATAR_ID" is a placeholder.'],
		[{ avatarId: '{{avatarId}}' }, unbraced('Avatar', '{{avatarId}}')],
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
		[{ additionalFields: { dryRun: true } }, `${absent('dryRun')} It is in Options.`],
		[{ additionalFields: { draft: true, title: 'a' } }, `${absent('title')} Remove it.`],
		[{ additionalFields: '={{ $json }}' }, '"additionalFields" does not exist here'],
		[{ draft: true }, '"draft" does not exist here, so n8n ignores it. Remove it.'],
		...REFERENCES.map((script): [INodeParameters, string] => [
			{ script },
			unbraced('Script', script),
		]),
		...WITHIN_TEXT.map((script): [INodeParameters, string] => [
			{ script },
			outsideBraces('Script'),
		]),
		[{ options: { customBody: '={"a":"$json.text"}' } }, outsideBraces('Custom Body')],
		[{ script: '=Hello {{ ({ a: 1 }) }}!' }, containsObject('Script')],
		[{ voiceId: '=$json.voice' }, unbraced('Voice', '=$json.voice')],
		[{ voiceId: createLocator('$json.voice') }, unbraced('Voice', '$json.voice')],
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
	...listFor(getVideo, [
		[{ videoId: 'two words' }, 'without spaces and slashes.'],
		[{ videoId: 'two words' }, '"two words" contains a space.'],
		[{ videoId: '<videoId>' }, '"<videoId>" is a placeholder.'],
	]),
	...listFor(renameAsset, [[{ name: '${$json.name}' }, unbraced('New Name', '${$json.name}')]]),
	...listFor(getAssets, [
		[{ nameContains: 'a' }, '"nameContains" stands beside Filters, where n8n ignores it'],
		[{ options: { limit: 5 } }, 'Options has no "limit". Limit is a field of its own'],
		[
			{ operation: ' getAll' },
			'Operation " getAll" of asset has blanks around it. Write it as getAll',
		],
		[{ resource: 'asset\n' }, 'Resource "asset " has blanks around it. Write it as asset'],
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
	[
		{ script: 'In n8n, $json.name is the name' },
		{ ...SCRIPT, script: 'In n8n, $json.name is the name' },
		createSpeech,
	],
	[{ script: '$5.00' }, { ...SCRIPT, script: '$5.00' }, createSpeech],
	[
		{ script: '=Costs $5 {{ `${$json.voice}` }}' },
		{ ...SCRIPT, script: `Costs $5 ${VOICE}` },
		createSpeech,
	],
	[{ script: 'Costs {$5}' }, { ...SCRIPT, script: 'Costs {$5}' }, createSpeech],
	[{ type: 'Custom', customType: 'Assets' }, { ...IMPORTED, type: 'Assets' }, importFile],
	[{ avatarId: createLocator(SOME_ID) }, FIELDS, createVideo],
	[{ videoTitle: createLocator('Welcome') }, FIELDS, createVideo],
	// The editor keeps these, and does not show them, when the user chooses another operation.
	[{ additionalFields: { draft: true } }, SCRIPT, createSpeech],
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

/** The entries of the collections of a node, each with a name that no field has. */
const listEntries = (described: Described[]) => {
	const fields = described.flatMap((it) => it.fields);
	const names = fields.flatMap(getNestedProperties).map(({ name }) => name);
	return [...new Set(names)].filter((name) => fields.every((field) => field.name !== name));
};

const findWords = (entry: string, { fields }: Described) => {
	const isHome = ({ name }: INodeProperties) => name === entry;
	const home = fields.find((field) => getNestedProperties(field).some(isHome));
	return home
		? `"${entry}" stands beside ${home.displayName}, where n8n ignores it. Write it as ${home.name}.${entry}.`
		: `"${entry}" does not exist here, so n8n ignores it. Remove it.`;
};

test.each(byLabel())('%s refuses each entry beside its collection', async (_label, operation) => {
	for (const entry of listEntries(operations)) {
		const failure = await studio.getFailure({ ...operation.parameters, [entry]: true });
		expect(failure).toContain(findWords(entry, operation));
	}
	expect(studio.service.requests).toStrictEqual([]);
});

const misnomer = (name: string, advice: string) =>
	`"${name}" is no field of this operation, so n8n ignores it. ${advice}`;

test.each<[INodeParameters, words: string]>([
	[getAssets({ search: 'melody' }), misnomer('search', 'Write it as filters.nameContains.')],
	[getVoices({ search: 'Ryan' }), misnomer('search', 'Write it as filters.nameContains or query.')],
	[createVideo({ title: 'Hello' }), misnomer('title', 'Write it as videoTitle.')],
	[importFile({ title: 'Hello' }), misnomer('title', 'Write it as name.')],
	[deleteAsset(SOME_ID, { title: 'Hello' }), misnomer('title', 'Remove it.')],
	[
		createVideo({ binaryProperty: 'video' }),
		misnomer('binaryProperty', 'Write it as options.binaryPropertyName.'),
	],
])('A name that other nodes have for a field is refused: %j', async (parameters, words) => {
	expect(await studio.getFailure(parameters)).toContain(words);
	expect(studio.service.requests).toStrictEqual([]);
});

describe('The trigger', () => {
	const getFailure = async (parameters: INodeParameters) =>
		getErrorText(await getError(studio.createWorkflow(parameters).activate()));

	it.each(events)('$label refuses each entry beside its collection', async (event) => {
		for (const entry of listEntries(events)) {
			const failure = await getFailure({ ...event.parameters, [entry]: true });
			expect(failure).toContain(findWords(entry, event));
		}
		expect(studio.service.requests).toStrictEqual([]);
	});

	const LISTED = 'There is assetCreated (New Asset), voiceAdded (New Voice).';
	const NO_ENTRY = 'Poll Times has no entry, so n8n would never poll. Add one. In the JSON of a';
	it.each<[INodeParameters, words: string]>([
		[
			{ events: ['assetCreated'] },
			`"events" is no field of the trigger, so n8n ignores it. ${'Write the event as event.'} ${LISTED}`,
		],
		[{ triggerOn: 'voiceAdded' }, '"triggerOn" is no field of the trigger'],
		[{ resource: 'voice' }, '"resource" is no field of the trigger'],
		[{ event: ['voiceAdded'] }, `Trigger On does not know the event ["voiceAdded"]. ${LISTED}`],
		[watchVoices({ kinds: ['image'], name: 'a' }), 'Filters has no "name"'],
		[
			{ event: 'voiceAdded', options: { simplify: false } },
			'"options" does not exist here, so n8n ignores "simplify" in it. Simplify is a field of its own',
		],
		[{ pollTimes: {} }, NO_ENTRY],
		[{ pollTimes: { item: [] } }, NO_ENTRY],
		[{ pollTimes: 'everyMinute' }, NO_ENTRY],
	])('with %j is refused at its first poll: %s', async (parameters, words) => {
		expect(await getFailure(parameters)).toContain(words);
		expect(studio.service.requests).toStrictEqual([]);
	});

	it('whose Poll Times are an entry without a list is refused, by n8n 1.x itself', async () => {
		const failure = await getFailure({ pollTimes: { mode: 'everyMinute' } });
		expect(failure).toMatch(/^Poll Times has no entry|^Could not find property option/);
	});
});

const AS_AN_HOUR = 'n8n takes for once an hour. For another interval, choose Custom';
test.each([
	[90, 'minutes', [AS_AN_HOUR]],
	[1440, 'minutes', [AS_AN_HOUR]],
	[36, 'hours', ['n8n takes for once a day.']],
	[60, 'minutes', []],
	[24, 'hours', []],
])('A poll every %i %s: what n8n makes of it is in the log once (%j)', async (...row) => {
	const [value, unit, told] = row;
	const pollTimes = { item: [{ mode: 'everyX', value, unit }] };
	const workflow = await studio.activateWorkflow({ event: 'voiceAdded', pollTimes });
	await workflow.poll();
	await workflow.pollDurably();
	const lines = logLines.map((line) => JSON.stringify(line));
	expect(lines.filter((line) => line.includes('Poll Times'))).toEqual(
		told.map((words): unknown => expect.stringContaining(words)),
	);
});

test('Voices are filtered by their name, in Get Many and in the trigger', async () => {
	const filters = { nameContains: 'RYA' };
	const { json } = await studio.run(getVoices({ filters }));
	expect(json).toMatchObject([{ voiceId: VOICE }]);
	const workflow = await studio.activateWorkflow(watchVoices(filters));
	['Mia', 'Bryan'].forEach((name) => studio.addVoice(name));
	expect(await workflow.poll()).toMatchObject([{ json: { name: 'Bryan' } }]);
});

test('Return All as a text, with a limit, is understood', async () => {
	const { items } = await studio.run(getAssets({ returnAll: 'false', limit: 2 }));
	expect(items).toHaveLength(2);
});

test('Dry Run that the editor left behind is honored: nothing is deleted', async () => {
	const [asset] = studio.service.assets;
	await studio.run(deleteAsset(asset!.id, { options: { dryRun: true, linkField: 'url' } }));
	expect(studio.getRoutes()).toStrictEqual([]);
});

describe('By ID, a voice', () => {
	const GENERAL = 'Voice: Get Many lists the voices. Similar: ';
	const SPEAK = 'For the first voice of a language, enter "German, female" in the mode Language.';

	it.each([
		['female', 'id', GENERAL],
		['xh', 'id', GENERAL],
		['Katja!', 'id', 'Similar: Katja · German (Germany) · female · neural (au-de-DE-katja).'],
		['Katja!', 'a mode that does not exist', 'Similar: Katja · German'],
		['https://example.com/voices/a-b-c', 'id', GENERAL],
		['voice4', 'id', GENERAL],
		['<voice-id>', 'id', 'Voice "<voice-id>" is a placeholder. Replace it by an ID or a name.'],
		['your-voice-id', 'list', 'Voice "your-voice-id" is a placeholder.'],
		['German female', 'id', SPEAK],
		['German female', 'name', SPEAK],
		['German female', 'language', SPEAK],
		['a female German voice', 'id', SPEAK],
		['fi-FI, Cadence', 'id', 'No voice that speaks fi-FI is Cadence. There is Noora'],
		['fi-FI, Cadence', 'language', 'No voice that speaks fi-FI is Cadence. There is Noora'],
	])('%j in the mode %s is refused: %s', async (value, mode, words) => {
		const failure = await studio.getFailure(createVideo({ voiceId: { mode, value } }));
		expect(failure).toContain(words);
		expect(studio.service.videos).toStrictEqual([]);
	});

	it.each(['id', 'list', 'name'])(
		'is found by the ID of its provider, and by that of its record (%s)',
		async (mode) => {
			const katja = studio.service.voices.find(({ name }) => name === 'katja')!;
			for (const value of [katja.providerVoiceId, katja.id]) {
				await studio.run(createSpeech({ voiceId: { mode, value } }));
			}
			const voiceId = 'au-de-DE-katja';
			expect(studio.service.speeches).toMatchObject([{ voiceId }, { voiceId }]);
		},
	);

	it('that is not listed is sent if it looks like an ID', async () => {
		const failure = await studio.getFailure(createSpeech({ voiceId: 'xx-XX-NobodyNeural' }));
		expect(failure).toContain('There is no voice xx-XX-NobodyNeural');
	});
});
