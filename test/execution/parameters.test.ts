import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { getError, isVersion1 } from '../support/engine/engine';
import { listPlaces, operations } from '../support/operations';
import {
	createLocator,
	createSpeech,
	createVideo,
	getAssets,
	getVoices,
} from '../support/parameters';
import { getOnlyRequest } from '../support/requests';
import { useStudio } from '../support/studio';

const studio = useStudio();

/** What n8n 1.x says itself of a parameter that it does not accept. */
const ISSUES_OF_VERSION_1 = 'The workflow has issues and cannot be executed for that reason';
const X = '={{ $json.x }}';

type Refusal = [values: unknown[], words: string];
/** The last but one is half of an emoji, as a text that is cut may end with; the last a blank in Braille. */
const EMPTY: Refusal = [[undefined, null, '', '  \n\t', '\ud83c', '\u2800'], 'is empty'];
const NO_TEXT: Refusal = [
	[{ a: 1 }, ['a'], true],
	'must be text. Enter text, or an expression that returns text.',
];
/** What each kind of field refuses, and the message after the field's label. */
const REFUSALS: Record<string, Refusal[]> = {
	text: [NO_TEXT],
	id: [
		[
			[{ a: 1 }, true, 'two words', 'a/../x', '..', '.', 'a\\b', 'a\u0000b', 'a\ud800b'],
			'must be an ID without spaces and slashes. ',
		],
	],
	address: [
		[
			['example.com/a', 'file:///etc/passwd', 'https://', 'https://a.example/\nb', 5, { a: 1 }],
			'must be a URL. Enter a URL that starts with https://',
		],
	],
	multiOptions: [
		[
			['image', 5, true, { a: 1 }, ['pictures'], ['image', { a: 1 }]],
			'must be a list of audio, image, music, video. Select its entries from the list.',
		],
	],
	'number from 1': [
		[
			[0, -1, 2.5, '0', '1.000', '5 pieces', true, { a: 1 }, [3], 2 ** 53],
			'must be a whole number of 1 or more. Enter it in digits, no more than 15.',
		],
	],
	'number from 0': [
		[
			['1280px', '12.5', -1, false, [720], '9007199254740993'],
			'must be a whole number of 0 or more. Enter it in digits, no more than 15.',
		],
	],
	boolean: [[['maybe', 'yes', 1, 0, { a: 1 }], 'must be true or false. Correct the value.']],
	json: [
		[
			['not JSON', '{ "a": 1', '[]', '5', [{ a: 1 }], true],
			'must be a JSON object. Enter one such as',
		],
	],
};

function getKind({ name, type, typeOptions }: INodeProperties): string {
	if (type === 'number') return `number from ${typeOptions?.minValue}`;
	if (type in REFUSALS) return type;
	if (name in REFUSALS) return name;
	if (name.endsWith('Url')) return 'address';
	return name.endsWith('Id') && type !== 'resourceLocator' ? 'id' : 'text';
}

const places = operations.flatMap((operation) =>
	listPlaces(operation, X)
		.filter(({ field }) => field.type !== 'collection' && field.name !== 'inputDataFieldName')
		.map(({ place, field, parameters }) => ({
			place: `${operation.label}, ${place}`,
			field,
			parameters,
			kind: getKind(field),
		})),
);

test.each(places)('G6: $place ($kind) refuses what it must, and nothing is sent', async (given) => {
	const { field, parameters, kind } = given;
	const refusals = [...REFUSALS[kind]!, ...(field.required ? [EMPTY] : [])];
	const expected = refusals.flatMap(([values, words]) =>
		values.map((x) => ({ x, message: `${field.displayName} ${words}` })),
	);
	const { json } = await studio.run(parameters, {
		items: expected.map(({ x }) => ({ json: { x } as IDataObject })),
		settings: { onError: 'continueRegularOutput' },
	});
	const messages = (json as { message: string; nextStep: string }[]).map(
		({ message, nextStep }, index) =>
			`${message}. ${nextStep}`.slice(0, expected[index]!.message.length),
	);
	expect(messages).toEqual(expected.map(({ message }) => message));
	expect(studio.service.requests).toEqual([]);
});

test.each(
	operations.flatMap((operation) =>
		listPlaces(operation, '')
			.filter(({ field }) => field.required && field.default !== 'data' && field.type !== 'options')
			.map(({ place, field, parameters }) => ({
				place: `${operation.label}, ${place}`,
				label: field.displayName,
				parameters,
			})),
	),
)('Leaving out $place is refused before anything is sent', async ({ label, parameters }) => {
	const ofNode = `Parameter "${label}" is required|^${label} is empty\\. |^${label}.* are empty`;
	expect(await studio.getFailure(parameters)).toMatch(
		new RegExp(isVersion1 ? `${ofNode}|${ISSUES_OF_VERSION_1}` : ofNode),
	);
	expect(studio.service.requests).toStrictEqual([]);
});

test.each([X, ' '])(
	'All required fields that are empty are named in one message (%j)',
	async (script) => {
		const parameters = createVideo({ script, avatarId: X, voiceId: createLocator(X) });
		expect(await studio.getFailure(parameters)).toContain(
			'Script, Avatar ID, Voice are empty. Enter a value. If an expression returned nothing, check',
		);
		expect(studio.service.requests).toStrictEqual([]);
	},
);

/** To leave one out would do more than the user wants. */
const neededValues: [string, (value: string) => INodeParameters][] = [
	['Name Contains', (nameContains) => getAssets({ filters: { nameContains } })],
	['Types', (kinds) => getAssets({ filters: { kinds } })],
	['Gender', (gender) => getVoices({ filters: { gender } })],
	['Language Name or ID', (languageCode) => getVoices({ filters: { languageCode } })],
	['Provider Name or ID', (provider) => getVoices({ filters: { provider } })],
	['Neural', (neural) => getVoices({ filters: { neural } })],
	['Search', (query) => getVoices({ query })],
	['Limit', (limit) => getAssets({ limit })],
	['Dry Run', (dryRun) => createSpeech({ options: { dryRun } })],
];
const blanks = [
	'$json.missing',
	'""',
	'" \\n"',
	'"\u200b"',
	'"🎄".slice(0, 1)',
	'[]',
	'"undefined"',
	'"NaN"',
	'" [object Object]"',
];

test.each(neededValues)(
	'G6: %s whose expression returns nothing, or null, is an error, and nothing is sent',
	async (name, withValue) => {
		for (const value of ['null', ...blanks]) {
			const error = await getError(studio.run(withValue(`={{ ${value} }}`)));
			expect(error.message).toBe(`${name} is empty`);
		}
		expect(studio.getRoutes()).toStrictEqual([]);
	},
);

test.each(['null', 'None', 'n/a', ''])(
	'%j of an agent is no value: a field that may be left out is, and another one is named',
	async (text) => {
		const value = "={{ $fromAI('text') }}";
		await studio.call(createVideo({ additionalFields: { videoFormat: value } }), [{ text }]);
		expect(getOnlyRequest(studio).body).not.toHaveProperty('videoFormat');
		const filtered = getAssets({ filters: { nameContains: value } });
		const [answer] = await studio.call(filtered, [{ text }]);
		expect(JSON.parse(answer!)).toHaveLength(studio.service.assets.length);
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
