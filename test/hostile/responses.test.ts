import type { Fault } from '../../service/service';
import { getError, getErrorText, readFile } from '../support/engine/engine';
import { asType } from '../support/faults';
import { runOperation } from '../support/files';
import { byLabel } from '../support/operations';
import {
	createSpeech,
	createVideo,
	deleteAsset,
	downloadAsset,
	getAllAssets,
	getAsset,
	getAssets,
	getVoices,
	SOME_ID,
} from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();

const asJson = (body: string | Buffer) => asType('application/json', body);
const page = asType(
	'text/html; charset=utf-8',
	'<!doctype html><html><head><title>Sign in</title></head><body>Hello</body></html>',
);

test.each(byLabel())('G10: %s reports a web page as an error', async (_label, operation) => {
	studio.service.injectFault(page);
	const text = getErrorText(await getError(runOperation(studio, operation)));
	expect(text).toMatch(/The response is a web page.*Sign in.*Check Base URL in the credential/);
	expect(text).not.toContain('<');
});

test.each(['text/html', 'application/xhtml+xml', 'application/octet-stream', 'image/png'])(
	'JSON is data whatever its label: %s',
	async (type) => {
		studio.service.injectFault(asType(type, '\n{"id":"v-4711","assets":[{"id":"a"}]}'));
		const { json } = await studio.run(createVideo());

		expect(json).toEqual([{ id: 'v-4711', assets: [{ id: 'a' }] }]);
		expect((await studio.run(getAsset(SOME_ID))).json).toEqual(json);
		expect((await studio.run(getAssets({ limit: 1 }))).json).toEqual([{ id: 'a' }]);
	},
);

test('A file that only begins like JSON is stored as it is', async () => {
	studio.service.injectFault(asType('audio/mpeg', '[not JSON'));
	const { items } = await studio.run(createSpeech());
	expect(String(await readFile(items[0]))).toBe('[not JSON');
});

test.each([
	['a creation', createVideo()],
	['an asset', getAsset(SOME_ID)],
	['a list', getAssets({ limit: 1 })],
])('G10: %s reports that the response is not the JSON it claims to be', async (...row) => {
	studio.service.injectFault(asJson('{"id": "cut short'));
	expect(await studio.getFailure(row[1])).toContain('not valid JSON');
});

const SUCCESS = [{ json: { success: true }, pairedItem: { item: 0 } }];
const nothing: [string, Fault][] = [
	['204', { status: 204 }],
	['an empty body', asJson('')],
	['null', asJson('null')],
	['an empty object', asJson('{}')],
	['an empty list', asJson('[]')],
	['an empty file', { body: Buffer.alloc(0) }],
	['204 and a type', { status: 204, headers: { 'content-type': 'application/xml' } }],
	['an empty web page', asType('text/html', '')],
];

test.each(nothing)('An asset with %s in response is an error', async (_answer, fault) => {
	studio.service.injectFault(fault);
	expect(await studio.getFailure(getAsset(SOME_ID))).toContain('The response contains no record');
});

test.each(nothing)('A creation is a success with %s in response', async (_answer, fault) => {
	studio.service.injectFault(fault);
	expect((await studio.run(createVideo())).items).toStrictEqual(SUCCESS);
});

test('A response of no length that claims to be a file, and has nothing in it, is a success', async () => {
	const headers = { 'content-type': 'application/octet-stream' };
	const { credentials } = await startRawHost((_request, response) => {
		response.writeHead(200, headers).flushHeaders();
		response.end();
	});
	const deletion = await studio.run(deleteAsset(SOME_ID), { credentials });
	expect(deletion.json).toStrictEqual([{ deleted: true, id: SOME_ID }]);
	expect((await studio.run(createSpeech(), { credentials })).items).toStrictEqual(SUCCESS);
});

test.each<[body: string, type: string, expected: object[]]>([
	['42\n', 'application/json', [{ data: 42 }]],
	['false', 'application/json', [{ data: false }]],
	['{"a":[]}', 'Application/JSON; Charset="UTF-8"', [{ a: [] }]],
	['{"id":"é🎬"}', 'application/problem+json', [{ id: 'é🎬' }]],
	['{"id":"é🎬"}', 'text/plain', [{ id: 'é🎬' }]],
	['{"id":"é🎬"}', '', [{ id: 'é🎬' }]],
	['[{"a":1},"b",null,["c"]]', '', [{ a: 1 }, { data: 'b' }, { data: null }, { data: ['c'] }]],
	['<b>Größe</b> 日本🎬\n', 'text/plain', [{ data: '<b>Größe</b> 日本🎬\n' }]],
	['Gr\ufffde', 'text/csv', [{ data: 'Gr\ufffde' }]],
])('The response %j of type "%s" to a creation becomes items', async (body, type, expected) => {
	studio.service.injectFault(asType(type, body));
	const { items } = await studio.run(createVideo());
	expect(items).toStrictEqual(expected.map((json) => ({ json, pairedItem: { item: 0 } })));
});

test.each<[string, Fault]>([
	['204', { status: 204 }],
	['null in an object', asJson('{"assets":null,"voices":null}')],
	['an empty list', asJson('{"assets":[],"voices":[]}')],
	['a bare empty list', asJson('[]')],
])('A list that is %s has no items', async (_answer, fault) => {
	studio.service.injectFault(fault);
	for (const parameters of [getAllAssets(), getVoices({ returnAll: true })]) {
		expect((await studio.run(parameters)).items).toStrictEqual([]);
	}
});

test.each([
	['a number', '42'],
	['an object without a list', '{"items":[]}'],
])('A list that is %s is an error, not an empty list', async (_answer, body) => {
	studio.service.injectFault(asJson(body));
	const words = 'The response contains no list of ';
	expect(await studio.getFailure(getAllAssets())).toContain(`${words}assets`);
	expect(await studio.getFailure(getVoices())).toContain(`${words}voices`);
});

test.each([
	['\uFEFF[{"id":"one"}]', [{ id: 'one' }]],
	['{"assets":["one",null],"voices":["one",null]}', [{ data: 'one' }, { data: null }]],
])('A list of bare entries is read in full: %s', async (body, expected) => {
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
	const text = await studio.getFailure(getVoices({ returnAll: true }));
	expect(text).toContain('There are more voices than the node reads: 100,000');
});

test('G11: Of thousands of links, the first thousand are looked at, or the one in my Link Field', async () => {
	const pages = Array.from({ length: 1_000 }, (_, index) => `https://example.com/${index}.html`);
	const url = `${studio.service.filesUrl}/sized/5/a.mp4`;
	studio.service.injectFault({ body: { pages, url } });
	const [unread] = (await studio.run(createVideo())).json;
	const [chosen] = (await studio.run(createVideo({ options: { linkField: 'url' } }))).json;
	expect(unread).toEqual({ pages, url });
	expect(chosen).toEqual({ fileUrl: url, pages, url });
});

const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

test.each([
	['a list of assets', getAssets({ limit: 1 }), `{"assets":[{"id":1,"tags":${deep}}]}`],
	['a list of voices', getVoices({ simplify: false }), `{"voices":[{"tags":${deep}}]}`],
	['the asset of a download', downloadAsset(SOME_ID), `{"id":1,"tags":${deep}}`],
	['a creation', createVideo(), `{"id":1,"tags":${deep}}`],
])('G11: What is nested without end is a plain error in %s', async (_where, parameters, body) => {
	studio.service.injectFault(asJson(body));
	expect(await studio.getFailure(parameters)).toContain('nested too deeply');
});
