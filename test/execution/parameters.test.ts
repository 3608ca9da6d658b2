import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import { operation } from '../../nodes/AvatarStudio/resources/operation';
import { buildProperties } from '../../nodes/AvatarStudio/resources/properties';
import {
	buildCollection,
	buildOptions,
	dryRun,
} from '../../nodes/AvatarStudio/resources/sharedFields';
import { voiceId } from '../../nodes/AvatarStudio/resources/voice/voiceId';
import { isVersion1, runWorkflow } from '../support/engine/engine';
import { createAvatarStudioNode } from '../support/engine/parts';
import { getOptions, listPlaces, operations, type Place } from '../support/operations';
import {
	addApiKey,
	CONTINUE,
	createLocator,
	createVideo,
	getAssets,
	ITEM_ID,
	updateAsset,
	VOICE,
} from '../support/parameters';
import { getOnlyRequest } from '../support/requests';
import { useStudio } from '../support/studio';

const studio = useStudio();

/** What n8n 1.x says itself of a parameter that it does not accept. */
const ISSUES_OF_VERSION_1 = 'The workflow has issues and cannot be executed for that reason';
const X = '={{ $json.x }}';
const CUT = 'Look: \ud83c !\n';

type Refusal = [values: unknown[], words: string];
/** The last but one is half of an emoji, as a text that is cut may end with; the last a blank in Braille. */
const EMPTY: Refusal = [[undefined, null, '', '  \n\t', '\ud83c', '\u2800'], 'is empty'];

/** What is no text, which every format refuses. */
const NO_TEXTS = [{ a: 1 }, ['a'], true];
/** What a text of a format refuses besides. */
const FORMATS: Record<string, unknown[]> = {
	'an ID without spaces and slashes': [
		...['two words', 'a/../x', '..', '.', 'a\\b', 'a\u0000b', 'a\ud800b'],
	],
	'a URL': ['example.com/a', 'file:///etc/passwd', 'https://', 'https://a.example/\nb', 5],
};

/** What a field refuses, and the message after its label, by what its operation declares. */
function getRefusal({ declared, mode = 'id' }: Place): Refusal {
	const { type, typeOptions = {}, findBy = {}, format } = declared;
	const choices = getOptions(declared).map(({ value }) => value);
	const { minValue = 0 } = typeOptions;
	if (type === 'number') {
		const numbers = ['1280px', '12.5', '1.000', 2.5, minValue - 1, `${minValue - 1}`, 2 ** 53];
		const words = `a whole number of ${minValue} or more. Enter it in digits, no more than 15.`;
		return [[...numbers, false, [720]], `must be ${words}`];
	}
	if (type === 'boolean') {
		return [['maybe', 'yes', 1, 0, { a: 1 }], 'must be true or false. Correct the value.'];
	}
	if (type === 'json') {
		const values = ['not JSON', '{ "a": 1', '[]', '5', [{ a: 1 }], true];
		return [values, 'must be a JSON object. Enter one such as'];
	}
	if (type === 'multiOptions') {
		const values = [String(choices[0]), 5, true, { a: 1 }, ['pictures'], [choices[0], { a: 1 }]];
		return [values, `must be a list of ${choices.join(', ')}. Select its entries from the list.`];
	}
	if (choices.length > 0) {
		const words = `one of ${choices.join(', ')}. Select it from the list.`;
		return [['something else', 5, true, { a: 1 }, ['a']], `must be ${words}`];
	}
	// What is looked up may be any text.
	const isFound = mode in findBy || 'id' in findBy;
	const text = { expected: 'text', hint: 'Enter text, or an expression that returns text.' };
	const { expected, hint } = isFound ? text : (format ?? text);
	return [[...NO_TEXTS, ...(FORMATS[expected] ?? [])], `must be ${expected}. ${hint}`];
}

/** @returns what happened and what to do, of items that failed */
const getDetails = (json: IDataObject[]) =>
	json.map(({ errorDetails }) => errorDetails as { message: string; nextStep: string });

const isSingle = ({ declared }: Place) => declared.type !== 'collection' && !declared.allowsObject;
const listAllPlaces = (value: string) =>
	operations.flatMap((operation) =>
		listPlaces(operation, value).map((it) => ({ ...it, place: `${operation.label}, ${it.place}` })),
	);
const places = listAllPlaces(X).filter(isSingle);

test.each(places)('G6: $place refuses what it must, and nothing is sent', async (given) => {
	const { field, parameters } = given;
	const refusals = [getRefusal(given), ...(field.required ? [EMPTY] : [])];
	const expected = refusals.flatMap(([values, words]) =>
		values.map((x) => ({ x, message: `${field.displayName} ${words}` })),
	);
	const items = expected.map(({ x }) => ({ json: { x } as IDataObject }));
	const { json } = await studio.run(parameters, { items, ...CONTINUE });
	const messages = getDetails(json).map(({ message, nextStep }, index) =>
		`${message}. ${nextStep}`.slice(0, expected[index]!.message.length),
	);
	expect(messages).toEqual(expected.map(({ message }) => message));
	expect(studio.service.requests).toEqual([]);
});

const requiredPlaces = listAllPlaces('').filter(({ field }) => field.required);

test.each(requiredPlaces)(
	'Leaving out $place is refused before anything is sent',
	async (given) => {
		const { field, parameters } = given;
		const label = field.displayName;
		const ofNode = `Parameter "${label}" is required|^${label} is empty\\. |^${label}.* are empty`;
		expect(await studio.getFailure(parameters)).toMatch(
			new RegExp(isVersion1 ? `${ofNode}|${ISSUES_OF_VERSION_1}` : ofNode),
		);
		expect(studio.service.requests).toStrictEqual([]);
	},
);

test.each([X, ' '])('All required fields that are empty are named at once (%j)', async (script) => {
	const parameters = createVideo({ script, avatarId: X, voiceId: createLocator(X) });
	expect(await studio.getFailure(parameters)).toContain(
		'Script, Avatar, Voice are empty. Enter a value. If an expression returned nothing, check',
	);
	expect(studio.service.requests).toStrictEqual([]);
});

/** What expressions return that find nothing, cut a text, or join what is not there with a text. */
const BLANKS = [
	...[undefined, null, '', ' \n', '\u200b', '\ud83c', [], 'undefined', 'NaN', ' [object Object]'],
];

test.each(places.filter(({ declared }) => declared.failsIfExpressionIsEmpty))(
	'G6: $place whose expression returns nothing, or null, is an error, and nothing is sent',
	async ({ field, parameters }) => {
		const items = BLANKS.map((x) => ({ json: { x } }));
		const { json } = await studio.run(parameters, { items, ...CONTINUE });
		const messages = getDetails(json).map(({ message }) => message);
		expect(messages).toEqual(BLANKS.map(() => `${field.displayName} is empty`));
		expect(studio.getRoutes()).toStrictEqual([]);
	},
);

test.each(['null', 'None', 'n/a', ''])(
	'%j of an agent is no value: a field that may be left out is, and another one is named',
	async (text) => {
		const value = "={{ $fromAI('text') }}";
		await studio.call(createVideo({ additionalFields: { videoFormat: value } }), [{ text }]);
		expect(getOnlyRequest(studio).body).not.toHaveProperty('videoFormat');
		for (const filters of [value, { nameContains: value }]) {
			const [answer] = await studio.call(getAssets({ filters }), [{ text }]);
			expect(JSON.parse(answer!)).toHaveLength(studio.service.assets.length);
		}
		expect(await studio.call(createVideo({ script: value }), [{ text }])).toEqual([
			expect.stringContaining('Script is empty. Enter a value.'),
		]);
	},
);

test.each([
	['$now', /^\d{4}-\d\d-\d\dT[\d:.]{12}(Z|[+-]\d\d:\d\d)$/],
	['new Date(0)', /^1970-01-01T00:00:00.000Z$/],
])('A date is sent as ISO text: %s', async (code, text) => {
	const parameters = createVideo({ videoTitle: `={{ ${code} }}`, script: `={{ ${code} }}` });
	await studio.run(parameters);
	expect(getOnlyRequest(studio).body).toMatchObject({
		videoTitle: expect.stringMatching(text),
		script: expect.stringMatching(text),
	});
});

const CLEAN = { script: 'Look:  !\n' };
const JSON_TEXT = '={{ JSON.stringify({ script: $json.x }) }}';

test.each<[string, INodeParameters, object]>([
	['script', createVideo({ script: X, videoTitle: '' }), { ...CLEAN, videoTitle: 'Look: !' }],
	['title', createVideo({ videoTitle: X }), { videoTitle: 'Look:  !' }],
	['name', updateAsset('={{ $json.id }}', { name: X }), { name: 'Look:  !' }],
	['entry', createVideo({ additionalFields: { status: X } }), { status: 'Look:  !' }],
	['JSON', createVideo({ options: { customBody: '={{ { script: $json.x } }}' } }), CLEAN],
	['text of JSON', createVideo({ options: { customBody: JSON_TEXT } }), CLEAN],
	['secret, which keeps it', addApiKey({ encryptedKey: X }), { encryptedKey: CUT }],
])('Half of an emoji, as a text that is cut may contain, is not sent: in a %s', async (...row) => {
	const [, parameters, sent] = row;
	const { id } = studio.service.assets[0]!;
	await studio.run(parameters, { items: [{ json: { x: CUT, id } }] });
	expect(getOnlyRequest(studio).body).toMatchObject(sent);
});

test.each([
	['a sheet', 'One\u0000 two\u0001\u001f\tthree\r\nfour', 'One two\tthree\r\nfour'],
	['a presentation', 'One\u000btwo', 'One\ntwo'],
	['a PDF', 'One\u000ctwo\u007f\u0085\u009f\ufffe\uffff', 'One\ntwo'],
])('Control characters of %s are not sent: databases and XML refuse them', async (...row) => {
	const [, x, script] = row;
	const line = script.replace(/[\t\r\n]+/g, ' ');
	const { id } = studio.service.assets[0]!;
	const items = [{ json: { x, id } }];
	await studio.run(createVideo({ script: X, videoTitle: '' }), { items });
	await studio.run(createVideo({ videoTitle: X, options: { customBody: JSON_TEXT } }), { items });
	await studio.run(updateAsset(ITEM_ID, { name: X }), { items });
	expect(studio.apiRequests.map(({ body }) => body)).toMatchObject([
		{ script, videoTitle: line },
		{ script, videoTitle: line },
		{ name: line },
	]);
});

test('Half of an emoji is not sent in a key of Custom Body either', async () => {
	const customBody = '={{ { [$json.x]: [{ [$json.x]: 1 }] } }}';
	const parameters = createVideo({ options: { customBody, dryRun: true } });
	const { json } = await studio.run(parameters, { items: [{ json: { x: CUT } }] });
	const { script: clean } = CLEAN;
	expect(json[0]).toMatchObject({ request: { body: { [clean]: [{ [clean]: 1 }] } } });
});

test('Entries of a collection may be a resource locator and JSON, and are sent unless they are local', async () => {
	const entry = { ...voiceId, required: false };
	const style = { displayName: 'Style', name: 'style', type: 'json', default: '{}' } as const;
	const create = operation({
		name: 'Create',
		value: 'create',
		action: 'Create thing',
		description: 'Create a thing',
		route: 'POST /v1/things',
		fields: [
			buildCollection('Fields', 'fields', 'Add field', [entry, style]),
			buildOptions([dryRun, { ...entry, name: 'otherVoiceId' }]),
		],
	});
	const resource = { option: { name: 'Thing', value: 'thing' }, operations: [create] };
	const type = new AvatarStudio();
	type.description.properties = buildProperties([resource]);
	const voice = createLocator('Ryan', 'name');
	const parameters = {
		resource: 'thing',
		operation: 'create',
		fields: { voiceId: voice, style: '{ "background": "blue" }' },
		options: { dryRun: true, otherVoiceId: voice },
	};
	const node = { ...createAvatarStudioNode(parameters), type: 'Thing', name: 'Thing' };
	const options = { credentials: studio.credentials, start: 'Thing', types: { Thing: type } };
	const { data } = await runWorkflow([node], {}, options);
	const [item] = data.resultData.runData.Thing![0]!.data!.main![0]!;
	const body = { voiceId: VOICE, style: { background: 'blue' } };
	const url = `${studio.service.url}/v1/things`;
	expect(item!.json.request).toStrictEqual({ method: 'POST', url, body });
});
