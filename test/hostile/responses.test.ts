import type { Fault } from '../../service/service';
import { getError, getErrorText } from '../support/engine/engine';
import { byLabel, type DescribedOperation, operations, runOperation } from '../support/operations';
import {
	createVideo,
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

/** Operations for which the content of the response does not matter. */
const ignoresContent = ({ operation }: DescribedOperation) => operation.value === 'delete';

test.each(byLabel())(
	'G10: %s reports a web page as an error, not a success',
	async (_label, operation) => {
		studio.service.injectFault(page);
		const text = getErrorText(await getError(runOperation(studio, operation)));
		expect(text).toMatch(/The response is a web page.*Sign in.*Check Base URL in the credential/);
		expect(text).not.toContain('<');
	},
);

test.each(byLabel(operations.filter((operation) => !ignoresContent(operation))))(
	'G10: %s reports that the response is not the JSON it claims to be',
	async (_label, operation) => {
		studio.service.injectFault(junk);
		const error = await getError(runOperation(studio, operation));
		expect(getErrorText(error)).toContain('not valid JSON');
	},
);

const nothing: [string, Fault][] = [
	['204', { status: 204 }],
	['an empty body', asJson('')],
	['null', asJson('null')],
	['an empty object', asJson('{}')],
	['an empty list', asJson('[]')],
	['an empty file', { body: Buffer.alloc(0) }],
	['an empty web page', { body: '', headers: { 'content-type': 'text/html' } }],
];

test.each(nothing)('An asset with %s in response is an error', async (_answer, fault) => {
	studio.service.injectFault(fault);
	expect(await studio.getFailure(getAsset(SOME_ID))).toContain('The response contains no record');
});

test.each(nothing)('A creation is a success with %s in response', async (_answer, fault) => {
	studio.service.injectFault(fault);
	const { items } = await studio.run(createVideo());
	expect(items).toStrictEqual([{ json: { success: true }, pairedItem: { item: 0 } }]);
});

test.each([
	['42\n', [{ data: 42 }]],
	['"queued"', [{ data: 'queued' }]],
	['false', [{ data: false }]],
	['{"a":[]}', [{ a: [] }]],
	['[{"a":1},"b",null,["c"]]', [{ a: 1 }, { data: 'b' }, { data: null }, { data: ['c'] }]],
])('Any JSON in response to a creation becomes items: %s', async (body, expected) => {
	studio.service.injectFault(asJson(body));
	const { items } = await studio.run(createVideo());
	expect(items).toStrictEqual(expected.map((json) => ({ json, pairedItem: { item: 0 } })));
});

test.each([
	['plain text', 'text/plain', 'Your video is on its way.\n', 'Your video is on its way.\n'],
	['text that looks like HTML', 'text/plain', '<b>ready</b>', '<b>ready</b>'],
	['text with non-ASCII letters', 'text/csv', 'Größe;日本;🎬', 'Größe;日本;🎬'],
	['text that was broken before', 'text/csv', 'Gr\ufffde', 'Gr\ufffde'],
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

test.each<[string, Fault]>([
	['204', { status: 204 }],
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

test.each([
	['a number', '42'],
	['an object without a list', '{"items":[]}'],
])('A list that is %s is an error, not an empty list', async (_answer, body) => {
	studio.service.injectFault(asJson(body));
	const words = 'The response contains no list of ';
	expect(await studio.getFailure(getAssets({ returnAll: true }))).toContain(`${words}assets`);
	expect(await studio.getFailure(getVoices())).toContain(`${words}voices`);
});

test.each([
	['bare', '[{"id":"one"}]', [{ id: 'one' }]],
	['behind a byte order mark', '\uFEFF[{"id":"one"}]', [{ id: 'one' }]],
	[
		'of entries that are no records',
		'{"assets":["one",2,null],"voices":["one",2,null]}',
		[{ data: 'one' }, { data: 2 }, { data: null }],
	],
])('A list that is %s is read in full', async (_what, body, expected) => {
	studio.service.injectFault(asJson(body));
	for (const parameters of [getAssets({ limit: 3 }), getVoices({ simplify: false })]) {
		expect((await studio.run(parameters)).json).toStrictEqual(expected);
	}
});

test.each([
	[100_000, 100_000],
	[100_001, 1],
])('G11: A response with %i entries loses none of them in %i items', async (count, itemCount) => {
	const entries = Array.from({ length: count }, (_, id) => ({ id }));
	studio.service.injectFault({ body: entries });
	const { json, items } = await studio.run(createVideo());
	expect(json).toHaveLength(itemCount);
	expect(itemCount === 1 ? json[0]!.data : json).toEqual(entries);
	expect(items.at(-1)!.pairedItem).toStrictEqual({ item: 0 });
});

test('More voices than n8n supports are an error', async () => {
	const voices = Array.from({ length: 100_001 }, (_, id) => ({ voiceId: `v-${id}` }));
	studio.service.injectFault({ body: { voices } });
	expect(await studio.getFailure(getVoices({ returnAll: true }))).toContain(
		'There are more voices than the node reads: 100,000',
	);
});

describe('G11: What is nested without end', () => {
	const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

	it.each([
		['a list of assets', getAssets({ limit: 1 }), `{"assets":[{"id":1,"tags":${deep}}]}`],
		['a list of voices', getVoices({ simplify: false }), `{"voices":[{"tags":${deep}}]}`],
		['the asset of a download', downloadAsset(SOME_ID), `{"id":1,"tags":${deep}}`],
		['the response to a creation', createVideo(), `{"id":1,"deep":${deep}}`],
	])('is a plain error in %s', async (_where, parameters, body) => {
		studio.service.injectFault(asJson(body));
		const error = await getError(studio.run(parameters));
		expect(error.message).toContain('The response is nested too deeply');
	});
});
