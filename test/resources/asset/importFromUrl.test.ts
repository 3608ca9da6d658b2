import type { INodeParameters } from 'n8n-workflow';

import { importAsset } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('The service fetches my file and stores it as an asset', async () => {
	const fileUrl = `${studio.service.filesUrl}/sized/1234`;
	const { json } = await studio.run(importAsset({ fileUrl }));
	const stored = studio.service.assets.at(-1)!;
	expect(json).toMatchObject([{ id: stored.id, name: 'Portrait' }]);
	expect(stored.content).toHaveLength(1234);
	expect(getOnlyRequest(studio).body).toStrictEqual({ fileUrl, name: 'Portrait', type: 'Image' });
});

test.each<[string, string, INodeParameters]>([
	['Video', 'clip.MP4?signature=a.png', { type: 'detect' }],
	['Audio', 'a%20song.m4a', { type: 'detect' }],
	['Image', 'photo.heic#top', { type: 'detect' }],
	['Assets', 'a', { type: 'custom', customType: 'Assets' }],
	// A custom type that I entered before I selected another type is not sent.
	['Music', 'a', { type: 'Music', customType: 'Assets' }],
	['Video', 'a', { type: '={{ " video " }}' }],
	['Assets', 'a', { type: '={{ "CUSTOM" }}', customType: '={{ "Assets" }}' }],
])('I import as %s the file %s with %j', async (type, name, parameters) => {
	studio.service.injectFault({ body: {} });
	const fileUrl = `https://example.com/${name}`;
	await studio.run(importAsset({ fileUrl, ...parameters }));
	expect(getOnlyRequest(studio).body).toStrictEqual({ fileUrl, name: 'Portrait', type });
});

test.each([
	['https://example.com/a.pdf', 'detect', 'File URL does not end with the extension of an image'],
	['https://example.com/a', '={{ "" }}', 'Type is empty'],
	['https://example.com/a', 'custom', 'Custom Type is empty. Enter a value.'],
])('%s with the type %j is an error, and nothing is sent', async (fileUrl, type, words) => {
	expect(await studio.getFailure(importAsset({ fileUrl, type }))).toContain(words);
	expect(studio.getRoutes()).toStrictEqual([]);
});

test.each([
	[' https://a.example/My photo.png?a=b c\n', 'https://a.example/My%20photo.png?a=b%20c'],
	['https://a.example/?a=%20b%2Fc&für#t=10', 'https://a.example/?a=%20b%2Fc&f%C3%BCr#t=10'],
	['https://münchen.example/größe', 'https://xn--mnchen-3ya.example/gr%C3%B6%C3%9Fe'],
])('The file URL %j is sent as the valid URL %s', async (fileUrl, sent) => {
	studio.service.injectFault({ body: {} });
	await studio.run(importAsset({ fileUrl }));
	expect(getOnlyRequest(studio).body).toMatchObject({ fileUrl: sent });
});
