import type { INodeParameters } from 'n8n-workflow';

import { getError, getErrorText } from '../../support/engine/engine';
import { importAsset } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

/** URL of a file of this many bytes, which the stand-in really fetches. */
const fileUrl = (bytes = 1234) => `${studio.service.filesUrl}/sized/${bytes}`;

const fileUrlOf = (name: string) => `https://example.com/${name}`;

test('The service fetches my file and stores it as an asset', async () => {
	const { json } = await studio.run(importAsset({ fileUrl: fileUrl() }));
	const stored = studio.service.assets.at(-1)!;
	expect(json).toStrictEqual([
		{
			id: stored.id,
			name: 'Portrait',
			url: expect.stringContaining(studio.service.filesUrl),
			originalFileUrl: null,
		},
	]);
	expect(stored.content).toHaveLength(1234);
});

test.each<[string, INodeParameters]>([
	['Image', { type: 'Image' }],
	['Assets', { type: 'custom', customType: 'Assets' }],
	// A custom type that I entered before I selected another type is not sent.
	['Music', { type: 'Music', customType: 'Assets' }],
	['Video', { type: '={{ "Video" }}' }],
	['Assets', { type: '={{ "custom" }}', customType: '={{ "Assets" }}' }],
])('I import a file as %s with %j', async (type, parameters) => {
	await studio.run(importAsset({ fileUrl: fileUrl(), ...parameters }));
	expect(getOnlyRequest(studio).body).toStrictEqual({ fileUrl: fileUrl(), name: 'Portrait', type });
	expect(studio.service.assets.at(-1)!.type).toBe(type);
});

test.each([
	['clip.MP4?signature=a.png', 'Video'],
	['a%20song.m4a', 'Audio'],
	['photo.heic#top', 'Image'],
])('By default, the type of %s is detected as %s', async (name, type) => {
	studio.service.injectFault({ body: {} });
	await studio.run(importAsset({ fileUrl: fileUrlOf(name), type: 'detect' }));
	expect(getOnlyRequest(studio).body).toMatchObject({ type });
});

test.each(['https://example.com', fileUrlOf('watch'), fileUrlOf('report.pdf')])(
	'A type that %s does not show is an error, and nothing is sent',
	async (url) => {
		const error = await getError(studio.run(importAsset({ fileUrl: url, type: 'detect' })));
		expect(getErrorText(error)).toBe(
			'File URL does not end with the extension of an image, audio or a video. Set Type, or use another file.',
		);
		expect(studio.getRoutes()).toStrictEqual([]);
	},
);

test('The options of an expression may be spelled in any case', async () => {
	const options = { retryUnknownOutcome: 'TRUE ' };
	const items = [
		{ json: { type: ' video ', name: 'A', ...options } },
		{ json: { type: 'CUSTOM', name: 'C', ...options } },
	];
	await studio.run(
		importAsset({
			fileUrl: fileUrl(),
			name: '={{ $json.name }}',
			type: '={{ $json.type }}',
			customType: 'Assets',
			options: { retryUnknownOutcome: '={{ $json.retryUnknownOutcome }}' },
		}),
		{ items },
	);
	const created = studio.service.assets.slice(5).map(({ name, type }) => [name, type]);
	expect(Object.fromEntries(created)).toStrictEqual({ A: 'Video', C: 'Assets' });
});

test.each([
	['with whitespace around it', ' https://a.example/b.png\n', 'https://a.example/b.png'],
	[
		'with a non-ASCII query',
		'https://a.example/?für=日🎬',
		'https://a.example/?f%C3%BCr=%E6%97%A5%F0%9F%8E%AC',
	],
	['that is encoded', 'https://a.example/?a=%20b%2Fc&d=%25', 'https://a.example/?a=%20b%2Fc&d=%25'],
	['that is partly encoded', 'https://a.example/?a=%2F&für', 'https://a.example/?a=%2F&f%C3%BCr'],
	[
		'with spaces',
		'https://a.example/My photo.png?a=b c',
		'https://a.example/My%20photo.png?a=b%20c',
	],
	['with a hash', 'https://a.example/?a=1#t=10', 'https://a.example/?a=1#t=10'],
	[
		'with a non-ASCII host',
		'https://münchen.example/größe',
		'https://xn--mnchen-3ya.example/gr%C3%B6%C3%9Fe',
	],
])('A file URL %s is sent as a valid URL', async (_how, url, sent) => {
	studio.service.injectFault({ body: {} });
	await studio.run(importAsset({ fileUrl: url }));
	expect(getOnlyRequest(studio).body).toMatchObject({ fileUrl: sent });
});

test('An empty Type from an expression is an error, and nothing is sent', async () => {
	const parameters = importAsset({ fileUrl: fileUrl(), type: '={{ $json.type }}' });
	const error = await getError(studio.run(parameters, { items: [{ json: { type: '' } }] }));
	expect(error.message).toBe('Type is empty because its expression returned nothing');
	expect(studio.getRoutes()).toStrictEqual([]);
});
