import type { Fault } from '../../service/service';
import { getError, getErrorText, readFile } from '../support/engine/engine';
import { byLabel, type DescribedOperation, operations, runOperation } from '../support/operations';
import {
	createSpeech,
	createVideo,
	deleteAsset,
	downloadAsset,
	getAsset,
	getAssets,
	getVoices,
	SOME_ID,
} from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

const asJson = (body: string | Buffer): Fault => ({
	body,
	headers: { 'content-type': 'application/json' },
});
const page: Fault = {
	body: '<!doctype html><html><head><title>Sign in</title></head><body>Hello</body></html>',
	headers: { 'content-type': 'text/html; charset=utf-8' },
};
const junk = asJson('{"id": "cut short');

/** Operations that require a JSON response. */
const needsJson = ({ operation }: DescribedOperation) =>
	['download', 'getAll'].includes(operation.value as string);
/** Operations for which the content of the response does not matter. */
const ignoresContent = ({ operation }: DescribedOperation) => operation.value === 'delete';
/** Operations that accept a response of any shape. */
const open = operations.filter((operation) => !needsJson(operation) && !ignoresContent(operation));
/** Operations that change something and accept an empty response. */
const changing = open.filter(({ operation }) => operation.value !== 'get');

describe.each(byLabel())('%s', (_label, operation) => {
	it('reports a web page as an error, not a success', async () => {
		studio.service.injectFault(page);
		const error = await getError(runOperation(studio, operation));
		expect(getErrorText(error)).toContain('The response is a web page');
		expect(getErrorText(error)).toContain('Sign in');
		expect(getErrorText(error)).toContain('Check Base URL in the credential');
		expect(getErrorText(error)).not.toContain('<');
	});
});

test('A deletion succeeds, whatever the response', async () => {
	studio.service.injectFault(junk);
	const { json } = await studio.run(deleteAsset(SOME_ID));
	expect(json).toStrictEqual([{ deleted: true, id: SOME_ID }]);
});

describe.each(byLabel(operations.filter((operation) => !ignoresContent(operation))))(
	'%s',
	(_label, operation) => {
		it('reports that the response is not the JSON it claims to be', async () => {
			studio.service.injectFault(junk);
			const error = await getError(runOperation(studio, operation));
			expect(getErrorText(error)).toContain('not valid JSON');
		});
	},
);

const nothing: [string, Fault][] = [
	['204', { status: 204 }],
	['an empty body', asJson('')],
	['whitespace', asJson(' \r\n')],
	['null', asJson('null')],
	['an empty object', asJson('{}')],
	['an empty list', asJson('[]')],
	['empty text', { body: '' }],
	['an empty file', { body: Buffer.alloc(0) }],
	['an empty web page', { body: '', headers: { 'content-type': 'text/html' } }],
];

test.each(nothing)('An asset with %s in response is an error', async (_answer, fault) => {
	studio.service.injectFault(fault);
	const error = await getError(studio.run(getAsset(SOME_ID)));
	expect(getErrorText(error)).toContain('The response contains no record');
});

test('An asset whose details are null is an error, not filtered out', async () => {
	studio.service.configure({ listedAssetFields: 'minimal' });
	studio.service.injectFault({ ...asJson('null'), when: { path: /^\/v1\/assets\// } });
	const error = await getError(studio.run(getAssets({ filters: { kinds: ['image'] } })));
	expect(getErrorText(error)).toContain('The response contains no record');
});

describe.each(byLabel(changing))('%s', (_label, operation) => {
	it.each(nothing)('treats %s as a success', async (_answer, fault) => {
		studio.service.injectFault(fault);
		const { json, items } = await runOperation(studio, operation);
		expect(json).toStrictEqual([{ success: true }]);
		expect(items[0]).toStrictEqual({ json: { success: true }, pairedItem: { item: 0 } });
	});
});

test.each([
	['/v1/videos/v%201/', 'v 1'],
	['https://cdn.example.com/made/2.mp3?token=3', '2.mp3'],
	['/v1/demo-key/demo%2Dkey', '*****'],
])('A creation without a body has the ID and the location it names: %s', async (location, id) => {
	studio.service.injectFault({ status: 201, body: '', headers: { location } });
	const { json } = await studio.run(createVideo());
	const href = new URL(location, studio.service.url).href;
	expect(json).toStrictEqual([{ id, location: href.replace(/demo(-|%2D)key/g, '*****') }]);
});

describe.each(byLabel(open))('%s', (_label, operation) => {
	it.each<[string, string, unknown]>([
		['a number', '42', { data: 42 }],
		['a number on a line of its own', '42\n', { data: 42 }],
		['a string', '"queued"', { data: 'queued' }],
		['a boolean', 'false', { data: false }],
		['an object with an empty list', '{"a":[]}', { a: [] }],
	])('turns %s in JSON into one item', async (_answer, body, expected) => {
		studio.service.injectFault(asJson(body));
		const { json } = await runOperation(studio, operation);
		expect(json).toStrictEqual([expected]);
	});

	it('turns each entry of a list into one item, whatever it is', async () => {
		studio.service.injectFault(asJson('[{"a":1},"b",3,null,["c"]]'));
		const { json, items } = await runOperation(studio, operation);
		expect(json).toStrictEqual([
			{ a: 1 },
			{ data: 'b' },
			{ data: 3 },
			{ data: null },
			{ data: ['c'] },
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual(Array(5).fill({ item: 0 }));
	});
});

test.each([
	['plain text', 'text/plain', 'Your video is on its way.\n', 'Your video is on its way.\n'],
	['text that looks like HTML', 'text/plain', '<b>ready</b>', '<b>ready</b>'],
	['text without a type', '', 'ready', 'ready'],
	[
		'a number that is too large for JavaScript',
		'text/plain',
		'9007199254740993',
		'9007199254740993',
	],
	['a number with leading zeros', 'text/plain', '007', '007'],
	['text with non-ASCII letters', 'text/csv', 'Größe;日本;🎬', 'Größe;日本;🎬'],
])('%s is kept as text', async (_answer, type, body, expected) => {
	studio.service.injectFault({ body, headers: { 'content-type': type } });
	const { json } = await studio.run(createVideo());
	expect(json).toStrictEqual([{ data: expected }]);
});

test.each(['Application/JSON; Charset="UTF-8"', 'application/problem+json', 'text/plain', ''])(
	'JSON is parsed if the content type is "%s"',
	async (type) => {
		studio.service.injectFault({ body: '{"id":"é🎬"}', headers: { 'CONTENT-TYPE': type } });
		const { json, items } = await studio.run(createVideo());
		expect(json).toStrictEqual([{ id: 'é🎬' }]);
		expect(items[0]!.binary).toBeUndefined();
	},
);

test.each([
	['one record', getAsset(SOME_ID), { id: 'one' }],
	['a list of assets', getAssets({ limit: 1 }), { id: 'one' }],
	['a list of voices', getVoices({ simplify: false }), { id: 'one' }],
])(
	'JSON that starts with a byte order mark is parsed for %s',
	async (_what, parameters, expected) => {
		const record = { id: 'one' };
		const isList = parameters.operation === 'getAll';
		const body = isList ? { assets: [record], voices: [record] } : record;
		studio.service.injectFault(asJson(`\uFEFF${JSON.stringify(body)}`));
		const { json } = await studio.run(parameters);
		expect(json).toStrictEqual([expected]);
	},
);

test('A response of JSON lines is a file, because it is not JSON as a whole', async () => {
	const body = '{"id":1}\n{"id":2}\n';
	studio.service.injectFault({ body, headers: { 'content-type': 'application/jsonl' } });
	const { items } = await studio.run(createVideo());
	expect((await readFile(items[0])).toString()).toBe(body);
});

test.each<[string, Fault]>([
	['204', { status: 204 }],
	['an empty body', asJson('')],
	['null', asJson('null')],
	['null in an object', asJson('{"assets":null,"voices":null}')],
	['an empty list', asJson('{"assets":[],"voices":[]}')],
	['a bare empty list', asJson('[]')],
])('A list that is %s has no items', async (_answer, fault) => {
	studio.service.injectFault(fault);
	for (const parameters of [getAssets({ returnAll: true }), getVoices({ returnAll: true })]) {
		const { items } = await studio.run(parameters);
		expect(items).toStrictEqual([]);
	}
});

test.each<[string, Fault]>([
	['a number', asJson('42')],
	['a string', asJson('"assets"')],
	['an object without a list', asJson('{"items":[]}')],
	['an object instead of the list', asJson('{"assets":{},"voices":{}}')],
])('A list that is %s is an error, not an empty list', async (_answer, fault) => {
	studio.service.injectFault(fault);
	const assets = await getError(studio.run(getAssets({ returnAll: true })));
	expect(getErrorText(assets)).toContain('The response contains no list of assets');
	const voices = await getError(studio.run(getVoices()));
	expect(getErrorText(voices)).toContain('The response contains no list of voices');
});

test('A bare list is accepted', async () => {
	studio.service.injectFault(asJson('[{"id":"one"}]'));
	expect((await studio.run(getAssets({ limit: 1 }))).json).toStrictEqual([{ id: 'one' }]);
	expect((await studio.run(getVoices({ simplify: false }))).json).toStrictEqual([{ id: 'one' }]);
});

test('Entries of a list that are not records are kept', async () => {
	studio.service.injectFault(asJson('{"assets":["one",2,null],"voices":["one",2,null]}'));
	const expected = [{ data: 'one' }, { data: 2 }, { data: null }];
	expect((await studio.run(getAssets({ limit: 3 }))).json).toStrictEqual(expected);
	expect((await studio.run(getVoices({ simplify: false }))).json).toStrictEqual(expected);
});

test('A huge response becomes as many items', async () => {
	const entries = Array.from({ length: 100_000 }, (_, id) => ({ id, name: `Video ${id}` }));
	studio.service.injectFault({ body: entries });
	const { json, items } = await studio.run(createVideo());
	expect(json).toHaveLength(100_000);
	expect(json[99_999]).toStrictEqual(entries[99_999]);
	expect(items[99_999]!.pairedItem).toStrictEqual({ item: 0 });
});

test('More voices than n8n supports are an error that says what to do', async () => {
	const voices = Array.from({ length: 100_001 }, (_, id) => ({ voiceId: `v-${id}` }));
	studio.service.injectFault({ body: { voices } });
	const error = await getError(studio.run(getVoices({ returnAll: true })));
	expect(getErrorText(error)).toContain('There are more than 100,000 voices');
	expect(getErrorText(error)).toContain('set Limit to 100,000 or less');
	const { json } = await studio.run(getVoices({ limit: 2 }));
	expect(json.map(({ voiceId }) => voiceId)).toStrictEqual(['v-0', 'v-1']);
});

test('A response with more entries than n8n supports as items loses none of them', async () => {
	studio.service.injectFault({ body: Array.from({ length: 200_000 }, (_, id) => id) });
	const { json } = await studio.run(createVideo());
	expect(json).toHaveLength(1);
	expect(json[0]!.data).toHaveLength(200_000);
});

test('The error about a web page in response to a creation says that it may exist', async () => {
	studio.service.injectFault(page);
	const error = await getError(studio.run(createVideo()));
	expect(getErrorText(error)).toContain('The video may exist anyway');
	expect(studio.service.requests).toHaveLength(1);
});

test('Response fields with dangerous names stay ordinary fields', async () => {
	studio.service.injectFault(asJson('{"__proto__":{"hacked":true},"constructor":1,"id":"one"}'));
	const { json } = await studio.run(getAsset(SOME_ID));
	expect(json[0]).toMatchObject({ id: 'one' });
	expect(({} as { hacked?: boolean }).hacked).toBeUndefined();
});

test('A creation whose response is nested without end keeps the response as text', async () => {
	const body = `{"id":"1","deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
	studio.service.injectFault(asJson(body));
	const { json } = await studio.run(createSpeech({ options: { downloadFile: true } }));
	expect(json).toMatchObject([{ data: body }]);
	expect(JSON.stringify(json)).not.toMatch(/call stack|Nothing was sent/);
});

describe('What is nested without end', () => {
	const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

	it.each([
		['a list of assets', getAssets({ limit: 1 }), `{"assets":[{"id":1,"tags":${deep}}]}`],
		['a list of voices', getVoices({ simplify: false }), `{"voices":[{"tags":${deep}}]}`],
		['the asset of a download', downloadAsset(SOME_ID), `{"id":1,"tags":${deep}}`],
	])('is a plain error in %s', async (_where, parameters, body) => {
		studio.service.injectFault(asJson(body));
		const error = await getError(studio.run(parameters));
		expect(error.message).toBe('The response is nested too deeply (200)');
	});

	it('is left out of the languages of a voice', async () => {
		const voice = { voiceId: 'v', languageCodesJson: `["de",${deep}]` };
		studio.service.injectFault({ body: { voices: [voice] } });
		const { json } = await studio.run(getVoices());
		expect(json).toMatchObject([{ voiceId: 'v', languageCodes: ['de'] }]);
	});

	it('is a plain error in a Custom Body', async () => {
		const customBody = `{"tags":${deep}}`;
		const error = await getError(studio.run(createVideo({ additionalFields: { customBody } })));
		expect(error.message).toContain('Custom Body must be a JSON object');
	});
});
