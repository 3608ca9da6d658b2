import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../service/service';
import { startEngine } from '../../support/engine/engine';
import { storeFile } from '../../support/files';
import { RETRY, SOME_ID, uploadAsset } from '../../support/parameters';
import { type RawHost, startRawHost } from '../../support/rawHost';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();
const ROUTE = 'POST /v1/assets/import/url';

const getLinkedFile = (url: string) =>
	Container.get(BinaryDataService).validateSignedToken(new URL(url).searchParams.get('token')!);

/** Serves n8n's signed links as n8n's main process does. */
let n8n: RawHost;
beforeEach(async () => {
	n8n = await startRawHost((request, response) => {
		void (async () => {
			const id = getLinkedFile(n8n.url + request.url);
			const file = { id, data: '', mimeType: '' };
			response.end(await Container.get(BinaryDataService).getAsBuffer(file));
		})().catch(() => response.writeHead(400).end());
	});
});

const CONTENT = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 256));
const PNG = { mimeType: 'image/png', fileName: 'My portrait.v2.png' };

const createFile = async (file: Partial<IBinaryData> = {}, executionId?: string) =>
	await storeFile(CONTENT, { ...PNG, ...file }, executionId);
const createItem = async (...file: Parameters<typeof createFile>) => ({
	json: {},
	binary: { data: await createFile(...file) },
});
/** An item with one file in each of these fields, which is named after it. */
const createItemWithFields = async (fields: string[]) => {
	const files = fields.map(async (field) => [field, await createFile({ fileName: field })]);
	return { json: {}, binary: Object.fromEntries(await Promise.all(files)) as never };
};
/** An item as a Code node returns it. */
const createCodeItem = (data: string) => ({ json: {}, binary: { data: { ...PNG, data } } });

const withHost = (items: INodeExecutionData[], settings = {}) => {
	return { items, restApiUrl: `${n8n.url}/rest`, settings };
};
const upload = async (item: INodeExecutionData, parameters: INodeParameters = {}) =>
	await studio.run(uploadAsset(parameters), withHost([item]));
const getUploads = () => studio.service.assets.slice(5);
afterEach(() => jest.restoreAllMocks());

test('My file becomes an asset, byte for byte, under its own name and type', async () => {
	const { json } = await upload(await createItem());
	const [stored] = getUploads();
	expect(stored!.content!.equals(CONTENT)).toBe(true);
	expect(json[0]).toMatchObject({ id: stored!.id, name: 'My portrait.v2' });
	const { body, method, path } = getOnlyRequest(studio);
	expect(`${method} ${path}`).toBe(ROUTE);
	expect(body).toStrictEqual({
		name: 'My portrait.v2',
		fileUrl: expect.stringContaining(`${n8n.url}/rest/binary-data/signed?token=`),
		type: 'Image',
	});
});

test('The service has 12 hours to fetch my file', async () => {
	await upload(await createItem());
	const { fileUrl } = getOnlyRequest(studio).body as { fileUrl: string };
	const [, claims] = new URL(fileUrl).searchParams.get('token')!.split('.');
	const { iat, exp } = JSON.parse(Buffer.from(claims!, 'base64url').toString()) as {
		iat: number;
		exp: number;
	};
	expect(exp - iat).toBe(12 * 3600);
});

test.each([
	['in base64', CONTENT.toString('base64')],
	['as a Buffer', CONTENT as unknown as string],
])('A file that a Code node gives with its content becomes an asset (%s)', async (_how, data) => {
	await upload(createCodeItem(data));
	expect(getUploads()[0]!.content!.equals(CONTENT)).toBe(true);
});

test.each<[Partial<IBinaryData>, INodeParameters, object]>([
	[{ mimeType: 'audio/mpeg' }, {}, { type: 'Audio' }],
	[{ mimeType: 'application/octet-stream', fileName: 'clip.mp4' }, {}, { type: 'Video' }],
	[{ mimeType: 'text/plain', fileName: 'photo.HEIC' }, {}, { type: 'Image', name: 'photo' }],
	[{ mimeType: 'application/mp4', fileName: undefined }, {}, { type: 'Video' }],
	[{ mimeType: 'application/mp4', fileName: 'song.m4a' }, {}, { type: 'Audio' }],
	[{ mimeType: 'application/ogg', fileName: 'data' }, {}, { type: 'Audio' }],
	[{ fileName: undefined }, {}, { name: 'Untitled' }],
	[{ fileName: 'Hello \ud83d.png' }, {}, { name: 'Hello' }],
	[{ fileName: 'Hel\u0000lo\u000bYou.png' }, {}, { name: 'Hello You' }],
	[{ fileName: '.png' }, {}, { name: '.png' }],
	[{ fileName: 'Version 1.2' }, {}, { name: 'Version 1.2' }],
	[{}, { name: 'Another name' }, { type: 'Image', name: 'Another name' }],
	[{}, { type: 'Music' }, { type: 'Music' }],
	[{}, { type: 'custom', customType: 'Assets' }, { type: 'Assets' }],
])('The file %j with the fields %j is uploaded as %j', async (file, fields, sent) => {
	await upload(await createItem(file), fields);
	expect(getOnlyRequest(studio).body).toMatchObject(sent);
});

test('A file received by a webhook is copied because its link would break', async () => {
	const item = await createItem({}, '');
	expect(item.binary.data.id).toContain('/temp/');
	await upload(item);
	const { fileUrl } = getOnlyRequest(studio).body as { fileUrl: string };
	expect(getLinkedFile(fileUrl)).not.toContain('/temp/');
	expect(getUploads()[0]!.content!.equals(CONTENT)).toBe(true);
});

test.each<[number, string, words: RegExp]>([
	[422, 'fileUrl responded with status 404.', /N8N_WEBHOOK_URL, .*N8N_STORAGE_PATH/],
	[400, 'Download failed: 404', /N8N_STORAGE_PATH/],
	[404, 'Not found', /N8N_STORAGE_PATH.*check Base URL/],
	[422, 'The name is too long', /Correct the values/],
])('A refusal with %i, "%s", says what to check', async (status, message, words) => {
	studio.service.injectFault({ status, body: { message } });
	const setup = withHost([await createItem()]);
	expect(await studio.getFailure(uploadAsset(), setup)).toMatch(words);
});

describe('Several files of an item', () => {
	const ofForm = ['Picture_0', 'Picture_1', 'Logo'];

	it.each([
		['data', ofForm, {}, ofForm],
		['data', ofForm, { name: 'Shop' }, ['Shop 1', 'Shop 2', 'Shop 3']],
		['Picture', ofForm, {}, ['Picture_0', 'Picture_1']],
		['Logo, Picture_0', ofForm, {}, ['Logo', 'Picture_0']],
		['data', ['data', 'data_1', 'data_2', 'database'], {}, ['data', 'data_1', 'data_2']],
		['attachment', ['attachment_0', 'attachment_2'], {}, ['attachment_0', 'attachment_2']],
		// Two questions of a form.
		['Photo', ['Photo', 'Photo_2'], {}, ['Photo']],
	])('become one asset each: "%s" of %j, with %j', async (...row) => {
		const [binaryPropertyName, fields, given, uploaded] = row;
		const item = await createItemWithFields(fields);
		const { items } = await upload(item, { binaryPropertyName, ...given });
		expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toStrictEqual(
			uploaded.map((name) => [name, { item: 0 }]),
		);
		expect(getUploads().map(({ name }) => name)).toStrictEqual(uploaded);
	});

	const RETRIED = ['a', 'b', 'b', 'c'];
	const REPEAT = { retryUnknownOutcome: true };

	it.each<[what: string, sent: string[], Fault, INodeParameters, advice: string]>([
		['is refused once', RETRIED, { status: 403, times: 1 }, {}, ''],
		['is refused for good', ['a', 'b', 'b', 'b'], { status: 422 }, {}, 'Correct the values'],
		['may exist', ['a', 'b'], { status: 500 }, {}, 'may exist anyway'],
		['may exist, and may be repeated', RETRIED, { status: 500, times: 1 }, REPEAT, ''],
	])('are sent one by one if the second %s: %j', async (_what, sent, fault, options, advice) => {
		const getName = ({ body }: { body?: unknown }) => (body as { name: string }).name;
		studio.service.injectFault({ ...fault, when: (request) => getName(request) === 'b' });
		const settings = { onError: 'continueErrorOutput', retryOnFail: true, waitBetweenTries: 1 };
		const setup = withHost([await createItemWithFields(['a', 'b', 'c'])], settings);
		const { json, errorItems } = await studio.run(uploadAsset({ options }), setup);
		expect(studio.apiRequests.map(getName)).toStrictEqual(sent);
		expect(json.map(({ name }) => name)).toStrictEqual(advice ? [] : ['a', 'b', 'c']);
		const errorDetails = {
			mayExist: true,
			message: expect.stringContaining(`uploaded before: a (${getUploads()[0]!.id})`) as string,
			nextStep: expect.stringContaining(advice) as string,
		};
		expect(errorItems.map((item) => item.json)).toMatchObject(advice ? [{ errorDetails }] : []);
	});
});

test('G1: A file that may exist after its first try still may after a refused second one', async () => {
	const ofSecond: Fault['when'] = ({ body }) => (body as { name: string }).name === 'b';
	studio.service.injectFault({ status: 500, times: 1, afterEffect: true, when: ofSecond });
	studio.service.injectFault({ status: 422, when: ofSecond });
	const settings = { onError: 'continueErrorOutput', retryOnFail: true, waitBetweenTries: 1 };
	const setup = withHost([await createItemWithFields(['a', 'b'])], settings);
	const parameters = uploadAsset({ options: { retryUnknownOutcome: true } });
	const { errorItems } = await studio.run(parameters, setup);
	expect(errorItems[0]!.json.error).toContain('The asset may exist anyway');
});

test('G2: An error of n8n in a later try says that a file was uploaded before', async () => {
	studio.service.injectFault({ status: 422, when: () => getUploads().length === 1 });
	const service = Container.get(BinaryDataService);
	const createToken = service.createSignedToken.bind(service);
	const spy = jest.spyOn(service, 'createSignedToken').mockImplementation((...file) => {
		// Two links are created at each try.
		if (spy.mock.calls.length > 2) throw new Error('No signing secret');
		return createToken(...file);
	});
	const setup = withHost([await createItemWithFields(['a', 'b'])], RETRY);
	const failure = await studio.getFailure(uploadAsset({ binaryPropertyName: 'a, b' }), setup);
	expect(failure).toContain('The asset was created, but this failed: No signing secret');
	expect(failure).not.toContain('Nothing was changed');
});

test('G1: A disk that is full at the second try keeps no file from the third, and none is sent twice', async () => {
	const binary = { a: await createFile({}, ''), b: await createFile({}, '') };
	studio.service.injectFault({ status: 403, times: 1, when: () => getUploads().length === 1 });
	const service = Container.get(BinaryDataService);
	const store = service.store.bind(service);
	const spy = jest.spyOn(service, 'store').mockImplementation(async (...file) => {
		// Two files are copied at each try.
		if (spy.mock.calls.length === 3) throw new Error('No space left');
		return await store(...file);
	});
	const parameters = uploadAsset({ binaryPropertyName: 'a, b' });
	await studio.run(parameters, withHost([{ json: {}, binary }], RETRY));
	expect(spy).toHaveBeenCalledTimes(6);
	expect(getUploads()).toHaveLength(2);
});

describe('A file that an expression returns is one of this execution:', () => {
	const uploadObject = async (file: IBinaryData, binary = {}) =>
		await studio.getOutcome(uploadAsset({ binaryPropertyName: '={{ $json.body.file }}' }), {
			...withHost([{ json: { body: { file: file as never } }, binary }]),
			rounds: 2,
		});

	it('on no item, or received by a webhook and on an item', async () => {
		await uploadObject(await createFile());
		const file = await createFile({}, '');
		await uploadObject(file, { photo: file });
		expect(studio.getRoutes()).toStrictEqual(Array(4).fill(ROUTE));
	});

	it('on an item of the node before the agent whose tool it is, and uploaded once', async () => {
		const binary = { photo: await createFile({}, ''), logo: await createFile({}, '') };
		const binaryPropertyName = '={{ $("Source").first().binary[$fromAI("Field")] }}';
		const calls = [{ Field: 'photo' }, { Field: 'logo' }, { Field: 'photo' }];
		await studio.call(uploadAsset({ binaryPropertyName }), calls, withHost([{ json: {}, binary }]));
		expect(studio.getRoutes()).toStrictEqual([ROUTE, ROUTE]);
	});

	it.each<[string, (own: string, other: string) => string]>([
		['one of another execution', (_own, other) => other],
		['a path out of this one', (own, other) => `${own}/../../../../../${other.split(':')[1]!}`],
		['one in a database', () => `database:${SOME_ID}`],
		['what a webhook received', (own) => own.replace('executions/execution', 'executions/temp')],
	])('and not %s', async (_what, forge) => {
		const [own, other] = await Promise.all([createFile(), createFile({}, 'other')]);
		const { error } = await uploadObject({ ...own, id: forge(own.id!, other.id!) });
		const words = 'must be the name of a field, or a file of this execution';
		expect(error!.message).toBe(`Input Binary Field ${words}`);
		expect(studio.service.requests).toStrictEqual([]);
	});
});

describe('Before anything is sent, the error says', () => {
	const getFailure = async (item: INodeExecutionData, parameters: INodeParameters = {}) => {
		const text = await studio.getFailure(uploadAsset(parameters), withHost([item]));
		expect(studio.service.requests).toStrictEqual([]);
		return text;
	};

	it.each([
		['Picture', 'photo', '"photo" contains no file. Set it to the fields of files: "Picture".'],
		['Photo_2', 'Photo', '"Photo" contains no file. Set it to the fields of files: "Photo_2".'],
		['a', 'a, b', '"b" contains no file. Set it to the fields of files: "a".'],
		[undefined, 'data', '"data" contains no file. This item has no files.'],
		['data', '={{ $json }}', 'must be the name of a field, or a file of this execution. Enter'],
	])('of a file in "%s" that "%s" is none', async (field, binaryPropertyName, words) => {
		const item = await createItemWithFields(field === undefined ? [] : [field]);
		const text = await getFailure(item, { binaryPropertyName });
		expect(text).toContain(`Input Binary Field ${words}`);
	});

	it.each([
		['a.pdf', 'application/pdf'],
		['a.png', 'text/html'],
	])('that %s of type %s is not an image, audio or a video', async (fileName, mimeType) => {
		const words = `The file "${fileName}" of type ${mimeType} is not an image, audio or a video`;
		expect(await getFailure(await createItem({ fileName, mimeType }))).toContain(words);
	});

	it('that a file is empty', async () => {
		const binary = { data: await storeFile(Buffer.alloc(0), PNG) };
		const words = 'The file "My portrait.v2.png" is empty. Use another file';
		expect(await getFailure({ json: {}, binary })).toContain(words);
	});

	it('that a file without its content is in memory', async () => {
		const parameters = { binaryPropertyName: '={{ $json.file }}' };
		const text = await getFailure({ json: { file: PNG } }, parameters);
		expect(text).toContain('n8n keeps this file in memory');
	});

	it.each<[string, (id: string) => string]>([
		['of another execution', (id) => id],
		['beside what a webhook received', (id) => id.replace('other', 'temp/binary_data/../../other')],
	])('that a file %s is none in the JSON of an item', async (_what, forge) => {
		const file = await createFile({}, 'other');
		const _files = { data: { ...file, id: forge(file.id!) } };
		expect(await getFailure({ json: { _files } })).toContain('contains no file');
	});

	it('what to set if n8n keeps files in memory', async () => {
		await startEngine('default');
		const failure = getFailure(createCodeItem(CONTENT.toString('base64')));
		expect(await failure.finally(async () => await startEngine())).toContain(
			'n8n keeps this file in memory and cannot create a link to it. Set N8N_DEFAULT_BINARY_DATA_MODE',
		);
	});

	it.each([
		['cannot', 'http://n8n:5678', /^The service cannot download the file .*N8N_WEBHOOK_URL/],
		// The key is checked last, so the error is about the key and not the link.
		['can perhaps', 'https://n8n.example.com', /^API Key is empty/],
	])('that the service %s reach n8n at %s', async (_can, host, words) => {
		const failure = await studio.getFailure(uploadAsset(), {
			items: [await createItem()],
			restApiUrl: `${host}/rest`,
			credentials: { baseUrl: 'https://api.example.com', apiKey: '' },
		});
		expect(failure).toMatch(words);
	});
});
