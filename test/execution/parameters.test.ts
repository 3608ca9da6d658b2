import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';

import { getError, isVersion1 } from '../support/engine/engine';
import { listPlaces, operations } from '../support/operations';
import {
	createLocator,
	createSpeech,
	createVideo,
	getAsset,
	getAssets,
	getVoices,
	importAsset,
} from '../support/parameters';
import { getOnlyRequest } from '../support/requests';
import { useStudio } from '../support/studio';

const studio = useStudio();

/** What n8n 1.x says itself of a parameter that it does not accept. */
const ISSUES_OF_VERSION_1 = 'The workflow has issues and cannot be executed for that reason';
const X = '={{ $json.x }}';

type Refusal = [values: unknown[], words: string];
const EMPTY: Refusal = [[undefined, null, '', '  \n\t'], 'is empty'];
const NO_TEXT: Refusal = [
	[{ a: 1 }, ['a'], true],
	'must be text. Enter text, or an expression that returns text.',
];
const ROUNDED: Refusal = [
	[2 ** 53, 1e21, '9007199254740993'],
	'is too large. Enter a smaller number.',
];
/** What each kind of field refuses, and the message after the field's label. */
const REFUSALS: Record<string, Refusal[]> = {
	text: [NO_TEXT],
	id: [
		NO_TEXT,
		[
			['two words', 'a/../x', '..', '.', 'a\\b', 'a\u0000b', '\ud800'],
			'must be an ID without spaces and slashes. ',
		],
	],
	address: [
		NO_TEXT,
		[
			[
				...[
					'portrait.png',
					'example.com/a',
					'ftp://example.com/a',
					'file:///etc/passwd',
					'https://',
				],
				...[
					'https://ü:x',
					'https://example.com/a https://example.com/b',
					'https://a.example/\nb',
					5,
				],
			],
			'must be a URL. Enter a URL that starts with https://',
		],
	],
	firstPage: [NO_TEXT, [[2, 'first', '-1'], 'must be one of its options']],
	multiOptions: [
		[['image', 5, true, { a: 1 }], 'must be a list. Select its entries from the list.'],
	],
	'number from 1': [
		ROUNDED,
		[
			[0, -1, 2.5, '0', '-3', '1.5', 'many', '5 pieces', true, { a: 1 }, [3]],
			'must be a whole number of 1 or more. Correct the value.',
		],
	],
	'number from 0': [
		ROUNDED,
		[
			['wide', '1280px', '12.5', -1, 0.5, true, false, { a: 1 }, [720]],
			'must be a whole number of 0 or more. Correct the value.',
		],
	],
	boolean: [
		[['maybe', 'yes', 1, 0, { a: 1 }, [true]], 'must be true or false. Correct the value.'],
	],
	json: [
		[
			[
				'not JSON',
				'{"a":{"__proto__":{"draft":true}}}',
				'{ "a": 1',
				'[]',
				'[{ "a": 1 }]',
				'5',
				'"a"',
				'null',
				'true',
				[{ a: 1 }],
				5,
				true,
			],
			'must be a JSON object without "__proto__". Enter one such as',
		],
	],
};

function getKind({ name, type, typeOptions }: INodeProperties, place: string): string {
	if (type === 'number') return `number from ${typeOptions?.minValue}`;
	if (type in REFUSALS) return type;
	if (['fileUrl', 'videoPreviewImageUrl'].includes(name)) return 'address';
	const isFound = /in mode (name|language)/.test(place);
	return name === 'avatarId' || (name === 'assetId' && !isFound)
		? 'id'
		: name in REFUSALS
			? name
			: 'text';
}

const places = operations.flatMap((operation) =>
	listPlaces(operation, X)
		.filter(({ field }) => field.type !== 'collection' && field.name !== 'inputDataFieldName')
		.map(({ place, field, parameters }) => ({
			place: `${operation.label}, ${place}`,
			field,
			parameters,
			kind: getKind(field, place),
		})),
);

test.each(places)('$place ($kind) refuses what it must, and nothing is sent', async (given) => {
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

test.each(['a/b', '..'])(
	'An invalid ID that I typed is refused, and nothing is sent: %s',
	async (id) => {
		expect(await studio.getFailure(getAsset(id))).toContain(
			isVersion1 ? ISSUES_OF_VERSION_1 : 'must be an ID without spaces',
		);
		expect(studio.service.requests).toStrictEqual([]);
	},
);

test('No item is sent if one is invalid, and the message names it', async () => {
	const items = [studio.service.assets[0]!.id, 'two words'].map((x) => ({ json: { x } }));
	expect(await studio.getFailure(getAsset(X), { items })).toBe(
		'Asset must be an ID without spaces and slashes [item 1]. Enter an ID like 123e4567-e89b-12d3-a456-426614174000.',
	);
	expect(studio.getRoutes()).toStrictEqual([]);
});

test.each([
	[
		X,
		'Script, Avatar ID and Voice are empty because their expressions returned nothing. Check the expression, and that this item has the value it refers to.',
	],
	[
		' ',
		'Script, Avatar ID and Voice are empty. Enter a value. Copy the avatar ID from the studio application. Select a voice from the list.',
	],
])('All required fields that are empty are named in one message (%j)', async (script, message) => {
	const parameters = createVideo({ script, avatarId: X, voiceId: createLocator(X) });
	expect(await studio.getFailure(parameters)).toContain(message);
	expect(studio.service.requests).toStrictEqual([]);
});

const filters: [string, (value: string) => INodeParameters][] = [
	['Name Contains', (nameContains) => getAssets({ filters: { nameContains } })],
	['Types', (kinds) => getAssets({ filters: { kinds } })],
	['Gender', (gender) => getVoices({ filters: { gender } })],
	['Language Name or ID', (languageCode) => getVoices({ filters: { languageCode } })],
	['Provider Name or ID', (provider) => getVoices({ filters: { provider } })],
	['Neural', (neural) => getVoices({ filters: { neural } })],
];
const blanks = ['$json.missing', 'null', '""', '" \\n"', '"\u200b"', '[]'];

test.each(filters)(
	'The filter %s whose expression gives a blank is an error',
	async (name, getMany) => {
		for (const value of blanks) {
			const error = await getError(studio.run(getMany(`={{ ${value} }}`)));
			expect(error.message).toBe(`${name} is empty because its expression returned nothing`);
		}
		expect(studio.getRoutes()).toStrictEqual([]);
	},
);

test.each(filters)('%s left empty is no filter', async (_name, getMany) => {
	const [empty] = [studio.service.assets.length, studio.service.voices.length].sort();
	expect((await studio.run(getMany(''))).json.length).toBeGreaterThanOrEqual(empty!);
});

test('A blank is no filter if an agent gives it', async () => {
	const filters = { nameContains: "={{ $fromAI('name') }}" };
	const [answer] = await studio.call(getAssets({ filters }), [{ name: ' ' }]);
	expect(JSON.parse(answer!)).toHaveLength(studio.service.assets.length);
});

test.each([
	['={{ $json.price * 2 }}', 'NaN'],
	['={{ "On " + new Date("") }}', 'Invalid Date'],
	['={{ "Only " + $json.price * 2 }}', 'NaN'],
	['={{ 1 / 0 }}', 'Infinity'],
	['=Hello {{ $json.customer }}', '[object Object]'],
])('What the expression %j gives is not spoken', async (text, shown) => {
	const items = [{ json: { customer: { name: 'Ann' } } }];
	const error = await getError(studio.run(createSpeech({ script: text }), { items }));
	expect(error.message).toBe(`Script contains ${shown}, which an expression returned`);
	expect(studio.getRoutes()).toStrictEqual([]);
});

test('A name from a file with Windows line ends is sent without them', async () => {
	studio.service.injectFault({ body: {} });
	await studio.run(importAsset({ name: 'Logo\r', fileUrl: 'https://example.com/portrait.png' }));
	expect(getOnlyRequest(studio).body).toMatchObject({ name: 'Logo' });
});
