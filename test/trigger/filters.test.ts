import type { INodeParameters } from 'n8n-workflow';

import type { Asset } from '../../service/service';
import { createUuid } from '../../service/uuids';
import { warnings } from '../support/engine/engine';
import {
	createVoice,
	getItemNames,
	useTrigger,
	watchAssets,
	watchVoices,
} from '../support/trigger';

const watching = useTrigger();

const asset = (name: string, extension: string): Asset => ({
	id: createUuid(name),
	name,
	extension,
});
const added = [
	asset('Portrait of Ann', '.png'),
	asset('Portrait on film', '.mp4'),
	asset('Song', '.MP3'),
	asset('Leaflet', '.pdf'),
];

async function emitted(filters: INodeParameters, options: INodeParameters = {}) {
	const workflow = await watching.activateWorkflow(watchAssets(options, filters));
	watching.service.assets = [...watching.service.assets, ...added];
	const items = await workflow.poll();
	expect(await workflow.poll()).toEqual([]);
	return getItemNames(items);
}

describe('the filter Types', () => {
	it.each<[string[], string[]]>([
		[['image'], ['Portrait of Ann']],
		[['music'], ['Song']],
		[
			['image', 'video'],
			['Portrait of Ann', 'Portrait on film'],
		],
		[[], added.map(({ name }) => name)],
	])('%j passes assets with such an extension: %j', async (kinds, expected) => {
		expect(await emitted({ kinds })).toEqual(expected);
		expect(watching.getRoutes().filter((route) => route !== 'GET /v1/assets')).toEqual([]);
	});

	it('uses the type if the list contains it, not case-sensitive', async () => {
		const workflow = await watching.activateWorkflow(watchAssets({}, { kinds: ['music'] }));
		const typed = (id: string, type: string) => ({ id, name: id, type, extension: '.mp3' });
		watching.service.injectFault({
			when: { path: '/v1/assets' },
			body: { assets: [typed('A', 'Music'), typed('B', 'Audio'), typed('C', 'MUSIC')] },
		});
		expect(getItemNames(await workflow.poll())).toEqual(['A', 'C']);
	});

	it('requests each new asset once if the list has neither type nor extension', async () => {
		watching.service.configure({ listedAssetFields: 'minimal' });
		expect(await emitted({ kinds: ['image'] })).toEqual(['Portrait of Ann']);
		const read = watching.getRoutes().filter((route) => route !== 'GET /v1/assets');
		expect(read).toEqual(added.map(({ id }) => `GET /v1/assets/${id}`));
	});

	it('adds the requested details to the item', async () => {
		watching.service.configure({ listedAssetFields: 'minimal' });
		const workflow = await watching.activateWorkflow(watchAssets({}, { kinds: ['video'] }));
		watching.service.assets = [...watching.service.assets, ...added];
		const [item] = await workflow.poll();
		expect(item!.json).toMatchObject({ extension: '.mp4', url: expect.stringContaining('http') });
	});

	it('skips an asset that is deleted before it is requested', async () => {
		watching.service.configure({ listedAssetFields: 'minimal' });
		watching.service.injectFault({
			when: { path: `/v1/assets/${createUuid('Portrait of Ann')}` },
			status: 404,
		});
		expect(await emitted({ kinds: ['image', 'video'] })).toEqual(['Portrait on film']);
	});

	it('retries an asset in the next poll if its details cannot be read', async () => {
		watching.service.configure({ listedAssetFields: 'minimal' });
		const workflow = await watching.activateWorkflow(
			watchAssets({}, { kinds: ['video', 'audio'] }),
		);
		watching.service.assets = [...watching.service.assets, ...added];
		watching.service.injectFault({
			when: { path: `/v1/assets/${createUuid('Song')}` },
			status: 500,
			times: 1,
		});
		expect(getItemNames(await workflow.poll())).toEqual(['Portrait on film']);
		expect(getItemNames(await workflow.poll())).toEqual(['Song']);
		expect(await workflow.poll()).toEqual([]);
	});

	it('excludes a file of another kind at once', async () => {
		const workflow = await watching.activateWorkflow(watchAssets({}, { kinds: ['image'] }));
		watching.service.injectFault({
			when: { path: '/v1/assets' },
			body: { assets: [{ id: 'A', name: 'Budget', extension: '.xlsx' }] },
		});
		expect(await workflow.poll()).toEqual([]);
		expect(warnings).toEqual([]);
	});

	it.each([null, ''])('passes an mp3 with the type %j as music', async (type) => {
		const workflow = await watching.activateWorkflow(watchAssets({}, { kinds: ['music'] }));
		watching.service.injectFault({
			when: { path: '/v1/assets' },
			body: { assets: [{ id: 'A', name: 'A', type, extension: '.mp3' }] },
		});
		expect(getItemNames(await workflow.poll())).toEqual(['A']);
	});
});

describe('the filter Name Contains', () => {
	it.each<[string, string[]]>([
		['portrait', ['Portrait of Ann', 'Portrait on film']],
		['  song ', ['Song']],
		['', added.map(({ name }) => name)],
	])('"%s" passes %j', async (nameContains, expected) => {
		expect(await emitted({ nameContains })).toEqual(expected);
	});

	it('decides before the type is requested', async () => {
		watching.service.configure({ listedAssetFields: 'minimal' });
		expect(await emitted({ nameContains: 'leaflet', kinds: ['image'] })).toEqual([]);
		const read = watching.getRoutes().filter((route) => route !== 'GET /v1/assets');
		expect(read).toEqual([`GET /v1/assets/${createUuid('Leaflet')}`]);
	});

	it('passes an asset without a name only if it is empty', async () => {
		const nameless = { when: { path: '/v1/assets' }, body: { assets: [{ id: 'A' }] } };
		const workflow = await watching.activateWorkflow(watchAssets({}, { nameContains: 'a' }));
		watching.service.injectFault(nameless);
		expect(await workflow.poll()).toEqual([]);
		const other = await watching.createWorkflow();
		watching.service.reset();
		await other.activate();
		watching.service.injectFault(nameless);
		expect(await other.poll()).toEqual([{ json: { id: 'A' } }]);
	});
});

test('the language filter passes only voices with that language', async () => {
	const workflow = await watching.activateWorkflow(watchVoices({ languageCode: 'EN-gb' }));
	const { voices } = watching.service;
	watching.service.voices = [
		...voices,
		createVoice(voices, 'amber', 'en-GB'),
		createVoice(voices, 'blanche', 'fr-FR'),
	];
	expect(getItemNames(await workflow.poll())).toEqual(['Amber']);
	expect(await workflow.poll()).toEqual([]);
});

test('a language that no voice speaks yet can be watched, and the log says so', async () => {
	const workflow = await watching.activateWorkflow(watchVoices({ languageCode: 'xx-XX' }));
	expect(warnings).toEqual([expect.stringContaining('No voice speaks the language "xx-XX"')]);
	expect(await workflow.poll()).toEqual([]);
	const { voices } = watching.service;
	watching.service.voices = [...voices, createVoice(voices, 'amber', 'xx-XX')];
	expect(getItemNames(await workflow.poll())).toEqual(['Amber']);
	expect(warnings).toHaveLength(1);
});

test('a text that is too long for Name Contains is refused before anything is sent', async () => {
	const workflow = await watching.createWorkflow(
		watchAssets({}, { nameContains: 'a'.repeat(201) }),
	);
	await expect(workflow.activate()).rejects.toThrow('is too long to search for');
	expect(watching.service.requests).toEqual([]);
});

test.each([
	['Name Contains', watchAssets({}, { nameContains: '={{ "" }}' })],
	['Types', watchAssets({}, { kinds: '={{ [] }}' })],
	['Language Name or ID', watchVoices({ languageCode: '={{ " " }}' })],
])('%s whose expression gives a blank is refused before anything is sent', async (name, watch) => {
	const workflow = await watching.createWorkflow(watch);
	await expect(workflow.activate()).rejects.toThrow(`${name} is empty because its expression`);
	expect(watching.service.requests).toEqual([]);
});

test('Types that are not a list are refused before anything is sent', async () => {
	const workflow = await watching.createWorkflow(watchAssets({}, { kinds: 'image' }));
	await expect(workflow.activate()).rejects.toThrow('Types must be a list');
	expect(watching.service.requests).toEqual([]);
});
