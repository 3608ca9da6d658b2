import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { getError, getErrorText, isVersion1 } from '../support/engine/engine';
import {
	addApiKey,
	createLocator,
	createSpeech,
	createVideo,
	deleteAsset,
	downloadAsset,
	getAsset,
	getAssets,
	getVoices,
	importAsset,
	SOME_ID,
	updateAsset,
} from '../support/parameters';
import { getOnlyRequest } from '../support/requests';
import { useStudio } from '../support/studio';

const studio = useStudio();

/** What n8n 1.x says itself of a parameter that it does not accept. */
const ISSUES_OF_VERSION_1 = 'The workflow has issues and cannot be executed for that reason';
const X = '={{ $json.x }}';
const fileUrl = 'https://example.com/portrait.png';

/** A field with its label, in an operation whose other fields are valid. */
type Field = [label: string, withValue: (value: string) => INodeParameters];
type Fields = Record<string, Field>;

const texts: Fields = {
	'the name of an asset': ['New Name', (name) => updateAsset(SOME_ID, { name })],
	'the name of an import': ['Name', (name) => importAsset({ name, fileUrl })],
	'the custom type of an import': [
		'Custom Type',
		(customType) => importAsset({ fileUrl, type: 'custom', customType }),
	],
	'the script of a speech': ['Script', (script) => createSpeech({ script })],
	'the script of a video': ['Script', (script) => createVideo({ script })],
	'the voice of a speech': ['Voice', (voice) => createSpeech({ voiceId: createLocator(voice) })],
	'the voice of a video': [
		'Voice',
		(voice) => createVideo({ voiceId: createLocator(voice, 'list') }),
	],
	'the provider of a key': ['Provider Name', (providerName) => addApiKey({ providerName })],
	'the service of a key': ['Service Name', (serviceName) => addApiKey({ serviceName })],
	'the key of a provider': ['Encrypted Key', (encryptedKey) => addApiKey({ encryptedKey })],
	'the output field of a download': [
		'Put Output File in Field',
		(binaryPropertyName) => downloadAsset(SOME_ID, { binaryPropertyName }),
	],
};
const ids: Fields = {
	'the asset to get': ['Asset', (id) => getAsset(id)],
	'the asset to rename': ['Asset', (id) => updateAsset(id, { name: 'Renamed' })],
	'the asset to delete': ['Asset', (id) => deleteAsset(id)],
	'the asset to download': ['Asset', (id) => downloadAsset(id)],
	'the avatar of a video': ['Avatar ID', (avatarId) => createVideo({ avatarId })],
};
const addresses: Fields = {
	'the file to import': ['File URL', (address) => importAsset({ fileUrl: address })],
};
const optionalAddresses: Fields = {
	'the preview image URL of a video': [
		'Preview Image URL',
		(address) => createVideo({ additionalFields: { videoPreviewImageUrl: address } }),
	],
};
const optionalTexts: Fields = {
	'the type of an import': ['Type', (type) => importAsset({ fileUrl, type, customType: 'Assets' })],
	'the format of a video': [
		'Format',
		(it) => createVideo({ additionalFields: { videoFormat: it } }),
	],
	'the status of a video': ['Status', (it) => createVideo({ additionalFields: { status: it } })],
	'the visibility of a video': [
		'Visibility',
		(it) => createVideo({ additionalFields: { visibility: it } }),
	],
	'the output field of a speech': [
		'Put Output File in Field',
		(it) => createSpeech({ options: { binaryPropertyName: it } }),
	],
	'the search for voices': ['Search', (query) => getVoices({ query })],
	'the filter by gender': ['Gender', (gender) => getVoices({ filters: { gender } })],
	'the filter by language': [
		'Language Name or ID',
		(it) => getVoices({ filters: { languageCode: it } }),
	],
	'the filter by provider': [
		'Provider Name or ID',
		(provider) => getVoices({ filters: { provider } }),
	],
};
const firstPage: Fields = {
	'the first page': ['First Page', (it) => getAssets({ options: { firstPage: it } })],
};
const counts: Fields = {
	'the limit of assets': ['Limit', (limit) => getAssets({ limit })],
	'the limit of voices': ['Limit', (limit) => getVoices({ limit })],
	'the page size': ['Page Size', (pageSize) => getAssets({ options: { pageSize } })],
};
const sizes: Fields = {
	'the width of a video': ['Width', (it) => createVideo({ additionalFields: { videoWidth: it } })],
	'the height of a video': [
		'Height',
		(it) => createVideo({ additionalFields: { videoHeight: it } }),
	],
};
const switches: Fields = {
	'Return All of assets': ['Return All', (returnAll) => getAssets({ returnAll })],
	'Return All of voices': ['Return All', (returnAll) => getVoices({ returnAll })],
	Simplify: ['Simplify', (simplify) => getVoices({ simplify })],
	'the filter for neural voices': ['Neural', (neural) => getVoices({ filters: { neural } })],
	'Full Frame': ['Full Frame', (it) => createVideo({ additionalFields: { fullFrame: it } })],
	Draft: ['Draft', (draft) => createVideo({ additionalFields: { draft } })],
};
const bodies: Fields = {
	'the custom body of a speech': [
		'Custom Body',
		(customBody) => createSpeech({ options: { customBody } }),
	],
	'the custom body of a video': [
		'Custom Body',
		(customBody) => createVideo({ additionalFields: { customBody } }),
	],
};

const rows = (...groups: Fields[]) =>
	groups.flatMap((group) =>
		Object.entries(group).map(([name, field]) => [name, ...field] as const),
	);

const notJsonObjects = [
	'not JSON',
	'{ "a": 1',
	'[]',
	'[{ "a": 1 }]',
	'5',
	'"text"',
	'null',
	'true',
];

/** Which values are refused for which fields, and the message after the field's label. */
const refused: [what: string, groups: Fields[], values: unknown[], words: string][] = [
	['Nothing', [texts, ids, addresses], [undefined, null, '', '  \n\t'], 'is empty'],
	[
		'An object',
		[texts, optionalTexts],
		[{ a: 1 }, ['a'], true],
		'must be text. Enter text, or an expression that returns text.',
	],
	[
		'An invalid ID',
		[ids],
		['two words', `${SOME_ID}/../x`, '..', '.', 'a\\b', 'a\u0000b', '\ud800'],
		'must be an ID without spaces and slashes. ',
	],
	[
		'An object',
		[ids],
		[{ a: 1 }, ['a'], false],
		'must be text. Enter text, or an expression that returns text.',
	],
	[
		'An invalid URL',
		[addresses, optionalAddresses],
		[
			'portrait.png',
			'example.com/a',
			'ftp://example.com/a',
			'file:///etc/passwd',
			'https://',
			'https://ü:x',
			'https://example.com/a.png https://example.com/b.png',
			'https://example.com/a\nb',
			5,
		],
		'must be a URL. Enter a URL that starts with https://',
	],
	[
		'An object',
		[addresses, optionalAddresses, firstPage],
		[{ a: 1 }, ['a'], true],
		'must be text. Enter text, or an expression that returns text.',
	],
	[
		'An invalid count',
		[counts],
		[0, -1, 2.5, '0', '-3', '1.5', 'many', '5 pieces', true, { a: 1 }, [3]],
		'must be a whole number of 1 or more. Correct the value.',
	],
	[
		'An invalid size',
		[sizes],
		['wide', '1280px', '12.5', -1, 0.5, true, false, { a: 1 }, [720]],
		'must be a whole number of 0 or more. Correct the value.',
	],
	[
		'A number that would be rounded',
		[counts, sizes],
		[2 ** 53, 1e21, '9007199254740993'],
		'is too large. Enter a smaller number.',
	],
	[
		'A value that is neither true nor false',
		[switches],
		['maybe', 'yes', 1, 0, { a: 1 }, [true]],
		'must be true or false. Correct the value.',
	],
	[
		'A value that is not a JSON object',
		[bodies],
		[...notJsonObjects, [{ a: 1 }], 5, true],
		'must be a JSON object without "__proto__". Enter one such as',
	],
	['A value that is not an option', [firstPage], [2, 'first', '-1'], 'must be one of its options'],
];

test.each(
	refused.flatMap(([what, groups, values, words]) =>
		rows(...groups).map(([field, label, withValue]) => ({
			what,
			field,
			values,
			words: `${label} ${words}`,
			parameters: withValue(X),
		})),
	),
)('$what for $field is refused before anything is sent', async ({ values, words, parameters }) => {
	const messages = [];
	for (const x of values) {
		const items = [{ json: { x } as IDataObject }];
		messages.push(getErrorText(await getError(studio.run(parameters, { items }))));
	}
	expect(messages.map((message) => message.slice(0, words.length))).toStrictEqual(
		values.map(() => words),
	);
	expect(studio.service.requests).toStrictEqual([]);
});

test.each(
	rows(texts, ids, addresses).filter(([field]) => field !== 'the output field of a download'),
)('Leaving out %s is refused before anything is sent', async (_field, label, withValue) => {
	const ofNode = `Parameter "${label}" is required|^${label} is empty\\. Enter`;
	expect(getErrorText(await getError(studio.run(withValue(''))))).toMatch(
		new RegExp(isVersion1 ? `${ofNode}|${ISSUES_OF_VERSION_1}` : ofNode),
	);
	expect(studio.service.requests).toStrictEqual([]);
});

test.each([
	['the script of a speech', createSpeech({ script: ' \n ' })],
	['the script of a video', createVideo({ script: '\t' })],
])('Only whitespace for %s is refused before anything is sent', async (_field, parameters) => {
	expect(getErrorText(await getError(studio.run(parameters)))).toBe(
		'Script is empty. Enter a value.',
	);
	expect(studio.service.requests).toStrictEqual([]);
});

test('An invalid ID that I typed is refused before anything is sent', async () => {
	expect(getErrorText(await getError(studio.run(getAsset('a/b'))))).toContain(
		isVersion1 ? ISSUES_OF_VERSION_1 : 'must be an ID without spaces',
	);
	expect(studio.service.requests).toStrictEqual([]);
});

test.each([
	['a limit of -1', 'Limit', getAssets({ limit: -1 })],
	['a limit of 0', 'Limit', getVoices({ limit: 0 })],
	['a limit of 1.5', 'Limit', getVoices({ limit: 1.5 })],
	['a page size of 0', 'Page Size', getAssets({ options: { pageSize: 0 } })],
	['a width of -1', 'Width', createVideo({ additionalFields: { videoWidth: -1 } })],
	['a height of 0.5', 'Height', createVideo({ additionalFields: { videoHeight: 0.5 } })],
])('%s that I typed is refused before anything is sent', async (_value, label, parameters) => {
	expect(getErrorText(await getError(studio.run(parameters)))).toContain(
		`${label} must be a whole number`,
	);
	expect(studio.service.requests).toStrictEqual([]);
});

test.each(rows(bodies))(
	'Text that is not a JSON object is refused for %s before anything is sent',
	async (_field, label, withValue) => {
		for (const typed of notJsonObjects) {
			expect(getErrorText(await getError(studio.run(withValue(typed))))).toContain(
				`${label} must be a JSON object`,
			);
		}
		expect(studio.service.requests).toStrictEqual([]);
	},
);

test.each(rows(texts, ids, addresses, optionalTexts, counts, sizes, switches, bodies))(
	'If there are several items, the message names the one with the invalid value for %s',
	async (_field, label, withValue) => {
		const error = await getError(
			studio.run(withValue(X), {
				items: [{ json: { x: ['a'] } }, { json: { x: ['b'] } }],
			}),
		);
		expect(getErrorText(error)).toMatch(
			new RegExp(`^${label} must .* \\[item 0\\]\\. (Correct|Enter)`),
		);
		expect(studio.service.requests).toStrictEqual([]);
	},
);

test('No item is sent if one is invalid, and the message names it', async () => {
	const [asset] = studio.service.assets;
	const error = await getError(
		studio.run(getAsset(X), {
			items: [{ json: { x: asset!.id } }, { json: { x: 'two words' } }],
		}),
	);
	expect(getErrorText(error)).toBe(
		'Asset must be an ID without spaces and slashes [item 1]. Enter an ID like 123e4567-e89b-12d3-a456-426614174000.',
	);
	expect(studio.getRoutes()).toStrictEqual([]);
});

test.each([
	['text', createSpeech({ script: X }), 'Script'],
	['a selection', getAsset(X), 'Asset'],
])('If an expression returns nothing for %s, the message says so', async (_what, run, label) => {
	const error = await getError(studio.run(run, { items: [{ json: {} }] }));
	expect(error.message).toBe(`${label} is empty because its expression returned nothing`);
	expect(error.description).toBe(
		'Check the expression, and that this item has the value it refers to.',
	);
	expect(studio.service.requests).toStrictEqual([]);
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
	const error = await getError(
		studio.run(createVideo({ script, avatarId: X, voiceId: createLocator(X) }), {
			items: [{ json: {} }],
		}),
	);
	expect(getErrorText(error)).toContain(message);
	expect(studio.service.requests).toStrictEqual([]);
});

test("An expression that cannot be evaluated is an error with n8n's message", async () => {
	const error = await getError(
		studio.run(createSpeech({ script: '={{ $("Nowhere").item.json.x }}' })),
	);
	expect(getErrorText(error)).toContain("Referenced node doesn't exist");
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

test.each(['', ' '])('%j is no filter if an agent gives it', async (text) => {
	const filters = { nameContains: "={{ $fromAI('name') }}" };
	const [answer] = await studio.call(getAssets({ filters }), [{ name: text }]);
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
	await studio.run(importAsset({ name: 'Logo\r', fileUrl }));
	expect(getOnlyRequest(studio).body).toMatchObject({ name: 'Logo' });
});
