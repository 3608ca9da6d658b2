import { getErrorText } from '../../support/engine/engine';
import { getAsset, importAsset } from '../../support/parameters';
import { getApiRequests, getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

/** URL of a file of this many bytes, which the stand-in really fetches. */
const fileUrl = (bytes = 1234) => `${studio.service.filesUrl}/sized/${bytes}`;

test('The service fetches my file and stores it as an asset', async () => {
	const { json, items, error } = await studio.run(importAsset({ fileUrl: fileUrl() }));
	expect(error).toBeUndefined();
	const stored = studio.service.assets.at(-1)!;
	expect(json).toStrictEqual([
		{
			id: stored.id,
			name: 'Portrait',
			url: expect.stringContaining(studio.service.filesUrl),
			originalFileUrl: null,
		},
	]);
	expect(items[0]!.pairedItem).toStrictEqual({ item: 0 });
	expect(items[0]!.binary).toBeUndefined();
	expect(stored.content).toHaveLength(1234);
	expect(getOnlyRequest(studio)).toMatchObject({
		method: 'POST',
		url: '/v1/assets/import/url',
		rawBody: JSON.stringify({ fileUrl: fileUrl(), name: 'Portrait', type: 'Image' }),
		headers: {
			'x-api-key': studio.service.apiKey,
			accept: 'application/json',
			'content-type': 'application/json',
		},
	});
});

test('I import the file behind the link of another asset', async () => {
	const [portrait] = studio.service.assets;
	const link = (await studio.run(getAsset(portrait!.id))).json[0]!.url as string;
	const { json, error } = await studio.run(importAsset({ name: 'Copy', fileUrl: link }));
	expect(error).toBeUndefined();
	expect(json[0]).toMatchObject({ name: 'Copy' });
	expect(studio.service.assets.at(-1)).toMatchObject({
		content: portrait!.content,
		contentType: 'image/png',
		originalFileUrl: link,
	});
});

test.each(['Image', 'Video', 'Audio', 'Music'])('I import a file as %s', async (type) => {
	const { error } = await studio.run(importAsset({ fileUrl: fileUrl(), type }));
	expect(error).toBeUndefined();
	expect(getOnlyRequest(studio).body).toStrictEqual({ fileUrl: fileUrl(), name: 'Portrait', type });
	expect(studio.service.assets.at(-1)!.type).toBe(type);
});

test('A custom type is sent as the type', async () => {
	await studio.run(importAsset({ fileUrl: fileUrl(), type: 'custom', customType: 'Assets' }));
	expect(getOnlyRequest(studio).rawBody).toBe(
		JSON.stringify({ fileUrl: fileUrl(), name: 'Portrait', type: 'Assets' }),
	);
	expect(studio.service.assets.at(-1)!.type).toBe('Assets');
});

test('A custom type that I entered before I selected another type is not sent', async () => {
	await studio.run(importAsset({ fileUrl: fileUrl(), type: 'Music', customType: 'Assets' }));
	expect(getOnlyRequest(studio).body).toStrictEqual({
		name: 'Portrait',
		fileUrl: fileUrl(),
		type: 'Music',
	});
});

test('The type may come from an expression, and so may a custom type', async () => {
	await studio.run(
		importAsset({
			fileUrl: fileUrl(),
			type: '={{ $json.type }}',
			customType: '={{ $json.custom }}',
		}),
		{
			items: [
				{ json: { type: 'Video', custom: 'left aside' } },
				{ json: { type: 'custom', custom: 'Assets' } },
			],
		},
	);
	const types = getApiRequests(studio).map(({ body }) => (body as { type: string }).type);
	expect(types.sort()).toStrictEqual(['Assets', 'Video']);
});

test('A type from an expression needs no custom type', async () => {
	await studio.run(importAsset({ fileUrl: fileUrl(), type: '={{ $json.type }}' }), {
		items: [{ json: { type: 'Video' } }],
	});
	expect(getOnlyRequest(studio).body).toMatchObject({ type: 'Video' });
});

test("A file that the service cannot fetch is an error with the service's message", async () => {
	const { error, items } = await studio.run(
		importAsset({ fileUrl: `${studio.service.filesUrl}/nowhere.png` }),
	);
	expect(items).toStrictEqual([]);
	expect(getErrorText(error)).toContain('fileUrl responded with status 403');
	expect(studio.service.assets).toHaveLength(5);
});

test('Whitespace around a file URL is not sent', async () => {
	await studio.run(importAsset({ fileUrl: `  ${fileUrl()}\n` }));
	expect(getOnlyRequest(studio).body).toMatchObject({ fileUrl: fileUrl() });
});

test.each([
	['with non-ASCII characters', '?für=日本🎬', '?f%C3%BCr=%E6%97%A5%E6%9C%AC%F0%9F%8E%AC'],
	['already encoded', '?a=%20b%2Fc&d=%25', '?a=%20b%2Fc&d=%25'],
	['partly encoded', '?a=%20b%2F&für=1', '?a=%20b%2F&f%C3%BCr=1'],
	['with a hash', '?a=1#t=10', '?a=1#t=10'],
])('A file URL %s is sent as a valid URL', async (_how, ending, sent) => {
	const { error } = await studio.run(importAsset({ fileUrl: fileUrl() + ending }));
	expect(error).toBeUndefined();
	expect(getOnlyRequest(studio).body).toMatchObject({ fileUrl: fileUrl() + sent });
});

test('A file URL with a non-ASCII host is sent as a valid URL', async () => {
	studio.service.injectFault({ body: {} });
	await studio.run(importAsset({ fileUrl: 'https://münchen.example/größe.png' }));
	expect(getOnlyRequest(studio).body).toMatchObject({
		fileUrl: 'https://xn--mnchen-3ya.example/gr%C3%B6%C3%9Fe.png',
	});
});

test('An empty Type from an expression is an error, and nothing is sent', async () => {
	const parameters = importAsset({ fileUrl: fileUrl(), type: '={{ $json.type }}' });
	const { error } = await studio.run(parameters, { items: [{ json: { type: '' } }] });
	expect(error?.message).toBe('Type is empty because its expression returned nothing');
	expect(studio.getRoutes()).toStrictEqual([]);
});
