import { readdirSync } from 'node:fs';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { IBinaryData, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { getError, getErrorText, startEngine } from '../../support/engine/engine';
import { storeFile } from '../../support/files';
import { uploadAsset } from '../../support/parameters';
import { type RawHost, startRawHost } from '../../support/rawHost';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

/** Serves n8n's signed links as n8n's main process does. */
let n8n: RawHost;
beforeEach(async () => {
	n8n = await startRawHost((request, response) => {
		const { pathname, searchParams } = new URL(request.url!, 'http://127.0.0.1');
		const service = Container.get(BinaryDataService);
		void (async () => {
			const id = service.validateSignedToken(searchParams.get('token')!);
			if (pathname !== '/rest/binary-data/signed') throw new Error(pathname);
			response.end(await service.getAsBuffer({ id, data: '', mimeType: '' }));
		})().catch(() => response.writeHead(400).end());
	});
});

const CONTENT = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 256));

/** An item with an image file. */
const fileItem = async (file: Partial<IBinaryData> = {}, field = 'data') => ({
	json: {},
	binary: {
		[field]: await storeFile(CONTENT, {
			mimeType: 'image/png',
			fileName: 'My portrait.v2.png',
			...file,
		}),
	},
});

const upload = async (items: INodeExecutionData[], parameters: INodeParameters = {}) =>
	await studio.run(uploadAsset(parameters), { items, restApiUrl: `${n8n.url}/rest` });

test('My file becomes an asset, byte for byte, under its own name and type', async () => {
	const { json } = await upload([await fileItem()]);
	const stored = studio.service.assets.at(-1)!;
	expect(stored.content!.equals(CONTENT)).toBe(true);
	expect(json[0]).toMatchObject({ id: stored.id, name: 'My portrait.v2' });
	const { body, method, path } = getOnlyRequest(studio);
	expect(`${method} ${path}`).toBe('POST /v1/assets/import/url');
	expect(body).toStrictEqual({
		name: 'My portrait.v2',
		fileUrl: expect.stringContaining(`${n8n.url}/rest/binary-data/signed?token=`),
		type: 'Image',
	});
	expect(JSON.stringify(body)).not.toContain(studio.service.apiKey);
});

/** An item as a Code node returns it. */
const codeItem = (content: Buffer) => {
	const data = { data: content.toString('base64'), mimeType: 'image/png', fileName: 'a.png' };
	return { json: {}, binary: { data } };
};

test.each([
	['in base64', CONTENT.toString('base64')],
	['as a data URI', `data:image/png;base64,${CONTENT.toString('base64')}`],
	['as a Buffer', CONTENT as unknown as string],
])('A file that a Code node gives with its content becomes an asset (%s)', async (_how, data) => {
	const item = codeItem(CONTENT);
	item.binary.data.data = data;
	await upload([item]);
	expect(studio.service.assets.at(-1)!.content!.equals(CONTENT)).toBe(true);
});

test('A file that an expression takes from $binary becomes an asset', async () => {
	// n8n leaves out the content there, and knows no kind of this type.
	const file = { mimeType: 'application/octet-stream', fileType: undefined };
	await upload([await fileItem(file)], { inputDataFieldName: '={{ $binary.data }}' });
	expect(studio.service.assets.at(-1)!.content!.equals(CONTENT)).toBe(true);
});

test('A file that n8n keeps in memory has no link, and the error says what to set', async () => {
	await startEngine('default');
	const error = await getError(upload([codeItem(CONTENT)])).finally(
		async () => await startEngine(),
	);
	expect(getErrorText(error)).toContain(
		'n8n keeps this file in memory and cannot create a link to it. Set N8N_DEFAULT_BINARY_DATA_MODE',
	);
	expect(studio.service.requests).toEqual([]);
});

test.each([
	['audio/mpeg', 'Audio'],
	['video/mp4', 'Video'],
	['IMAGE/JPEG', 'Image'],
	['application/octet-stream', 'Video', 'clip.mp4'],
	['application/octet-stream', 'Video', '00012.MTS'],
	['application/octet-stream', 'Audio', 'Memo.caf'],
	['text/plain', 'Image', 'photo.HEIC'],
])('A file of MIME type %s is uploaded as %s', async (mimeType, type, fileName = 'file') => {
	await upload([await fileItem({ mimeType, fileName })]);
	expect(getOnlyRequest(studio).body).toMatchObject({ type });
});

test.each([
	[{ type: 'Music' }, { type: 'Music' }],
	[{ type: 'custom', customType: 'Assets' }, { type: 'Assets' }],
	[{ name: 'Another name' }, { name: 'Another name', type: 'Image' }],
	[{ type: 'detect' }, { type: 'Image' }],
])('Options %j override the name and type of the file', async (options, sent) => {
	await upload([await fileItem()], { options });
	expect(getOnlyRequest(studio).body).toMatchObject(sent);
});

test.each([
	['portrait', 'portrait'],
	['', 'Untitled'],
	[undefined, 'Untitled'],
	[null as never, 'Untitled'],
	['.png', '.png'],
	['beach .png', 'beach'],
	['photo.jpeg', 'photo'],
	['Version 1.2 final', 'Version 1.2 final'],
	['Version 1.2', 'Version 1.2'],
])('A file named %j is uploaded as %j', async (fileName, name) => {
	await upload([await fileItem({ fileName })]);
	expect(getOnlyRequest(studio).body).toMatchObject({ name });
});

describe('Several files of an item, as a form gives them,', () => {
	const picture = async (fileName: string) => (await fileItem({ fileName })).binary.data!;
	const formItem = async () => ({
		json: {},
		binary: {
			Picture_0: await picture('a.png'),
			Picture_1: await picture('b.png'),
			Logo: await picture('c.png'),
		},
	});
	const getNames = () => studio.service.assets.slice(5).map(({ name }) => name);

	it.each<[string, INodeParameters, string[]]>([
		['data', {}, ['a', 'b', 'c']],
		['Picture_1', {}, ['b']],
		['Picture', {}, ['a', 'b']],
		['Logo, Picture_0', {}, ['c', 'a']],
		['Picture_0,Picture_1', { name: 'Shop' }, ['Shop 1', 'Shop 2']],
	])('become one asset each (%j, %j)', async (inputDataFieldName, options, names) => {
		const { items } = await upload([await formItem()], { inputDataFieldName, options });
		expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toStrictEqual(
			names.map((name) => [name, { item: 0 }]),
		);
		expect(getNames()).toStrictEqual(names);
	});

	// n8n's Aggregate node keeps the name of the first one.
	it('become one asset each if they are numbered behind "data"', async () => {
		const { Picture_0: data, Picture_1: data_1, Logo: data_2 } = (await formItem()).binary;
		await upload([{ json: {}, binary: { data, data_1, data_2, database: data } }]);
		expect(getNames()).toStrictEqual(['a', 'b', 'c']);
	});

	it('are those numbered after a name, with a gap only if the name is no field itself', async () => {
		const { Picture_0: one, Picture_1: two } = (await formItem()).binary;
		const attachments = { attachment_0: one, attachment_2: two };
		await upload([{ json: {}, binary: attachments }], { inputDataFieldName: 'attachment' });
		expect(getNames()).toStrictEqual(['a', 'b']);

		// Two questions of a form: "Photo" and "Photo 2".
		const answers = { Photo: one, Photo_2: two };
		await upload([{ json: {}, binary: answers }], { inputDataFieldName: 'Photo' });
		expect(getNames()).toStrictEqual(['a', 'b', 'a']);
		const unanswered = upload([{ json: {}, binary: { Photo_2: two } }], {
			inputDataFieldName: 'Photo',
		});
		expect((await getError(unanswered)).message).toContain('"Photo" contains no file');
	});

	it('are all shown by Dry Run', async () => {
		const { json } = await upload([await formItem()], { options: { dryRun: true } });
		expect(json).toHaveLength(3);
		expect(studio.getRoutes()).toStrictEqual([]);
	});

	it.each([{}, { options: { retryUnknownOutcome: true } }])(
		'are not sent again if the last one fails (%j)',
		async (parameters) => {
			studio.service.injectFault({ status: 422, when: { method: 'POST' }, skip: 2 });
			const { errorItems } = await studio.run(uploadAsset(parameters), {
				items: [await formItem()],
				restApiUrl: `${n8n.url}/rest`,
				settings: { onError: 'continueErrorOutput', retryOnFail: true, waitBetweenTries: 1 },
			});
			const [a, b] = studio.service.assets.slice(5);
			const message = expect.stringContaining(
				`; uploaded before: "a" (${a!.id}); "b" (${b!.id}) (422)`,
			) as string;
			expect(errorItems).toMatchObject([{ json: { mayExist: true, message } }]);
			expect(errorItems[0]!.json.nextStep).not.toContain('not sent again');
			expect(getNames()).toStrictEqual(['a', 'b']);
		},
	);

	const retryOnFail = { retryOnFail: true, waitBetweenTries: 1 };
	const isNamed =
		(name: string) =>
		({ body }: { body?: unknown }) =>
			(body as { name?: string } | undefined)?.name === name;
	const getSent = () =>
		studio.service.requests
			.filter(({ method }) => method === 'POST')
			.map(({ body }) => (body as { name: string }).name);
	/** Uploads the files of one item, and one of another item. */
	const getOutcome = async (parameters: INodeParameters, settings = {}, others = ['x']) =>
		await studio.getOutcome(uploadAsset(parameters), {
			items: [
				await formItem(),
				...(await Promise.all(others.map(async (name) => await fileItem({ fileName: name })))),
			],
			restApiUrl: `${n8n.url}/rest`,
			settings,
		});

	it.each([
		['was refused', 403, {}],
		['may exist', 500, { retryUnknownOutcome: true }],
	])('are each uploaded once if the second one %s (%i, %j)', async (_what, status, options) => {
		studio.service.injectFault({ when: isNamed('b'), status, times: 1 });
		const { json } = await getOutcome({ options }, retryOnFail, []);
		expect(json.map(({ name }) => name)).toStrictEqual(['a', 'b', 'c']);
		expect(getSent()).toStrictEqual(['a', 'b', 'b', 'c']);
	});

	it('are not sent any more if the second one may exist', async () => {
		studio.service.injectFault({ when: isNamed('b'), status: 500, times: 1 });
		const { error } = await getOutcome({}, retryOnFail, []);
		expect(getSent()).toStrictEqual(['a', 'b']);
		expect(error!.message).toContain(`; uploaded before: "a" (${studio.service.assets[5]!.id})`);
		expect(error!.description).toContain('may exist anyway, so the request was not sent again');
	});
});

describe('A file that an expression returns is uploaded only if it is of this execution:', () => {
	const uploadObject = async (file: IBinaryData, item: INodeExecutionData = { json: {} }) =>
		await studio.run(uploadAsset({ inputDataFieldName: '={{ $json.body.file }}' }), {
			items: [{ ...item, json: { body: { file: file as never } } }],
			restApiUrl: `${n8n.url}/rest`,
			rounds: 2,
		});
	const stored = async (executionId?: string) =>
		await storeFile(CONTENT, { mimeType: 'image/png', fileName: 'a.png' }, executionId);

	it('one of this execution on no item, and one that a webhook received on an item', async () => {
		await uploadObject(await stored());
		const file = await stored('');
		await uploadObject(file, { json: {}, binary: { photo: file } });
		expect(studio.getRoutes()).toStrictEqual(Array(4).fill('POST /v1/assets/import/url'));
	});

	it('each on an item of the node before the agent whose tool it is', async () => {
		const binary = { photo: await stored(''), logo: await stored('') };
		const parameters = uploadAsset({
			inputDataFieldName: '={{ $("Source").first().binary[$fromAI("Field")] }}',
		});
		// Two files with the same name, and one of them twice.
		const calls = [{ Field: 'photo' }, { Field: 'logo' }, { Field: 'photo' }];
		const answers = await studio.call(parameters, calls, {
			items: [{ json: {}, binary }],
			restApiUrl: `${n8n.url}/rest`,
		});
		expect(answers[2]).toContain('Nothing was created by this call');
		expect(studio.getRoutes()).toStrictEqual(Array(2).fill('POST /v1/assets/import/url'));
	});

	it.each<[string, (own: string, other: string) => string]>([
		['one of another execution', (_own, other) => other],
		[
			'a path out of this execution',
			(own, other) => `${own}/../../../../../${other.split(':')[1]!}`,
		],
		['one in a database', () => 'database:123e4567-e89b-12d3-a456-426614174000'],
		[
			'one that another webhook received',
			(own) => own.replace('executions/execution', 'executions/temp'),
		],
		['one of another workflow', (own) => own.replace('workflows/workflow', 'workflows/other')],
	])('not %s', async (_what, forge) => {
		const [own, other] = await Promise.all([stored(), stored('other')]);
		const error = await getError(uploadObject({ ...own, id: forge(own.id!, other.id!) }));
		expect(getErrorText(error)).toContain(
			'Input Data Field Name must be the name of a field, or a file of this execution',
		);
		expect(studio.service.requests).toStrictEqual([]);
	});
});

describe("With n8n's setting combined, files are in the JSON of an item:", () => {
	const uploadCombined = async (files: unknown, inputDataFieldName = 'data') =>
		await upload([{ json: { _files: files as never } }], { inputDataFieldName });
	const png = { mimeType: 'image/png', fileName: 'a.png' };

	it.each([
		['data', undefined],
		['_files.data', undefined],
		['photo, _files.logo', undefined],
		['data', ''],
	])('"%s" is uploaded (execution %j)', async (field, executionId) => {
		const file = await storeFile(CONTENT, png, executionId);
		const names = field.split(',').map((name) => name.trim().replace('_files.', ''));
		await uploadCombined(Object.fromEntries(names.map((name) => [name, file])), field);
		expect(studio.getRoutes()).toHaveLength(names.length);
		expect(studio.service.assets.at(-1)!.content!.equals(CONTENT)).toBe(true);
	});

	it.each<[string, (id: string) => string]>([
		['of another execution', (id) => id],
		['of a path out of what a webhook received', (id) => `${id}/../../temp/binary_data/../x`],
	])('not a file %s', async (_what, forge) => {
		const file = await storeFile(CONTENT, png, 'other');
		const error = await getError(uploadCombined({ data: { ...file, id: forge(file.id!) } }));
		expect(error.message).toContain('contains no file');
		expect(studio.service.requests).toEqual([]);
	});
});

test('A file received by a webhook is copied because its link would break, but not in a dry run', async () => {
	const data = await storeFile(CONTENT, { mimeType: 'image/png' }, '');
	expect(data.id).toContain('/temp/');
	const items = [{ json: {}, binary: { data } }];
	const countFiles = () => readdirSync(folder, { recursive: true }).length;
	const folder = Container.get(BinaryDataConfig).localStoragePath;
	const count = countFiles();

	await upload(items, { options: { dryRun: true } });
	expect(countFiles()).toBe(count);
	await upload(items);
	expect(countFiles()).toBeGreaterThan(count);
	const { fileUrl } = getOnlyRequest(studio).body as { fileUrl: string };
	const service = Container.get(BinaryDataService);
	const id = service.validateSignedToken(new URL(fileUrl).searchParams.get('token')!);
	expect(id).not.toContain('/temp/');
	expect(studio.service.assets.at(-1)!.content!.equals(CONTENT)).toBe(true);
});

test('An upload whose response is lost may exist, and is not sent again', async () => {
	studio.service.injectFault({ disconnect: 'beforeResponse', afterEffect: true });
	const error = await getError(upload([await fileItem()]));
	expect(getErrorText(error)).toContain('The asset may exist');
	expect(getErrorText(error)).toContain('the request was not sent again');
	expect(studio.getRoutes()).toStrictEqual(['POST /v1/assets/import/url']);
});

describe('before anything is sent, the error says', () => {
	const storeItem = async (...stored: Parameters<typeof storeFile>) => ({
		json: {},
		binary: { data: await storeFile(...stored) },
	});

	it.each<[string, () => Promise<INodeExecutionData>, INodeParameters, string]>([
		[
			'what to enter, if my field contains no file',
			async () => await fileItem({}, 'Picture'),
			{ inputDataFieldName: 'photo' },
			'Input Data Field Name "photo" contains no file. Set it to the fields of files: "Picture".',
		],
		[
			'which field of a list contains no file',
			async () => await fileItem({}, 'Picture_0'),
			{ inputDataFieldName: 'Picture_0, Picture_1' },
			'Input Data Field Name "Picture_1" contains no file. Set it to the fields of files: "Picture_0".',
		],
		[
			'that the item has no files at all',
			async () => await Promise.resolve({ json: {} }),
			{},
			'Input Data Field Name "data" contains no file. This item has no files.',
		],
		[
			'that an object is not a file',
			async () => await fileItem(),
			{ inputDataFieldName: '={{ $json }}' },
			'Input Data Field Name must be the name of a field, or a file. ',
		],
		[
			'that a file is empty',
			async () => await storeItem(Buffer.alloc(0), { mimeType: 'image/png', fileName: 'a.png' }),
			{},
			'The file "a.png" is empty. Use another file',
		],
		[
			'that a file of a Code node is empty',
			async () => await Promise.resolve(codeItem(Buffer.alloc(0))),
			{},
			'The file "a.png" is empty. Use another file',
		],
		[
			'that n8n hands an expression no content of a file that a Code node gives',
			async () => await Promise.resolve(codeItem(CONTENT)),
			{ inputDataFieldName: '={{ $binary.data }}' },
			'The file "a.png" is empty. Use another file, or its field instead of an expression.',
		],
		[
			'that what a Code node gives as the content of a file is a blank',
			async () => {
				const item = codeItem(CONTENT);
				item.binary.data.data = ' ';
				return await Promise.resolve(item);
			},
			{},
			'The file "a.png" is empty. Use another file',
		],
		[
			'that a PDF has no matching type',
			async () => await fileItem({ mimeType: 'application/pdf', fileName: 'report.pdf' }),
			{},
			'The file "report.pdf" of type application/pdf is not an image, audio or a video',
		],
		[
			'that a web page is no picture, whatever its name: the link to it may have expired',
			async () => await fileItem({ mimeType: 'text/html', fileName: 'a.png' }),
			{},
			'The file "a.png" of type text/html is not an image, audio or a video',
		],
		[
			'that no type is called "constructor"',
			async () => await fileItem({ mimeType: 'constructor/x', fileName: 'constructor' }),
			{},
			'The file "constructor" of type constructor/x is not an image, audio or a video',
		],
	])('%s', async (_what, createItem, parameters, words) => {
		const error = await getError(upload([await createItem()], parameters));
		expect(getErrorText(error).slice(0, words.length)).toBe(words);
		expect(studio.service.requests).toStrictEqual([]);
	});
});

describe('The service at', () => {
	const uploadTo = async (baseUrl: string, host: string) =>
		await getError(
			studio.run(uploadAsset(), {
				items: [await fileItem()],
				restApiUrl: `${host}/rest`,
				credentials: { baseUrl, apiKey: '' },
			}),
		);

	it.each(['http://127.0.0.1:5678', 'http://192.168.1.20:5678', 'http://n8n:5678'])(
		'another network cannot reach n8n at %s',
		async (host) => {
			const error = await uploadTo('https://api.example.com', host);
			expect(error.message).toContain('The service cannot download the file from n8n at ');
			expect(error.description).toContain('WEBHOOK_URL');
		},
	);

	it.each([
		['https://api.example.invalid', 'https://n8n.example.com'],
		['https://10.0.0.7', 'http://n8n.local'],
	])('%s can perhaps reach n8n at %s', async (baseUrl, host) => {
		// The key is checked last, so this error is about the key and not the link.
		expect((await uploadTo(baseUrl, host)).message).toBe('API Key is empty');
	});
});
