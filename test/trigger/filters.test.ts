import type { INodeParameters } from 'n8n-workflow';

import type { Asset } from '../../service/service';
import { createUuid } from '../../service/uuids';
import { warnings } from '../support/engine/engine';
import { getItemNames, useTrigger, watchAssets, watchVoices } from '../support/trigger';

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

/** The assets that were requested on their own. */
const getDetailRoutes = () => watching.getRoutes().filter((route) => route !== 'GET /v1/assets');

async function emitted(filters: INodeParameters, options: INodeParameters = {}) {
	const workflow = await watching.activateWorkflow(watchAssets(options, filters));
	watching.service.assets = [...watching.service.assets, ...added];
	const items = await workflow.poll();
	expect(await workflow.poll()).toEqual([]);
	return getItemNames(items);
}

describe('the filter Types', () => {
	it.each<[string[], string[]]>([
		[
			['image', 'music'],
			['Portrait of Ann', 'Song'],
		],
		[[], added.map(({ name }) => name)],
	])('%j passes assets with such an extension: %j', async (kinds, expected) => {
		expect(await emitted({ kinds })).toEqual(expected);
		expect(getDetailRoutes()).toEqual([]);
	});

	it('requests each new asset once if the list has neither type nor extension', async () => {
		watching.service.configure({ listedAssetFields: 'minimal' });
		const workflow = await watching.activateWorkflow(watchAssets({}, { kinds: ['video'] }));
		watching.service.assets = [...watching.service.assets, ...added];
		const [item, ...others] = await workflow.poll();
		expect(item!.json).toMatchObject({ extension: '.mp4', url: expect.stringContaining('http') });
		expect(others).toEqual([]);
		expect(await workflow.poll()).toEqual([]);
		expect(getDetailRoutes()).toEqual(added.map(({ id }) => `GET /v1/assets/${id}`));
	});
});

describe('the filter Name Contains', () => {
	it.each<[string, string[]]>([
		[' portrait ', ['Portrait of Ann', 'Portrait on film']],
		['', added.map(({ name }) => name)],
	])('"%s" passes %j', async (nameContains, expected) => {
		expect(await emitted({ nameContains })).toEqual(expected);
	});

	it('decides before the type is requested', async () => {
		watching.service.configure({ listedAssetFields: 'minimal' });
		expect(await emitted({ nameContains: 'leaflet', kinds: ['image'] })).toEqual([]);
		expect(getDetailRoutes()).toEqual([`GET /v1/assets/${createUuid('Leaflet')}`]);
	});

	it('requests an asset whose name the list does not show', async () => {
		const workflow = await watching.activateWorkflow(watchAssets({}, { nameContains: 'portrait' }));
		watching.service.assets = [...watching.service.assets, ...added];
		watching.service.injectFault({
			when: { path: '/v1/assets' },
			body: { assets: added.map(({ id }) => ({ id })) },
		});
		expect(getItemNames(await workflow.poll())).toEqual(['Portrait of Ann', 'Portrait on film']);
		expect(await workflow.poll()).toEqual([]);
	});

	it('passes an asset without a name only if it is empty', async () => {
		const id = createUuid('A');
		const nameless = { when: { path: '/v1/assets' }, body: { assets: [{ id }] } };
		const workflow = await watching.activateWorkflow(watchAssets({}, { nameContains: 'a' }));
		watching.service.injectFault(nameless);
		watching.service.injectFault({ when: { path: `/v1/assets/${id}` }, body: { id } });
		expect(await workflow.poll()).toEqual([]);
		const other = await watching.createWorkflow();
		watching.service.reset();
		await other.activate();
		watching.service.injectFault(nameless);
		expect(await other.poll()).toEqual([{ json: { id } }]);
	});
});

test.each<[what: string, filters: INodeParameters, before: object, after: object]>([
	['its name', { nameContains: 'final' }, {}, { name: 'final' }],
	['another name', { nameContains: 'final' }, { name: 'draft' }, { name: 'final' }],
	['its extension', { kinds: ['video'] }, {}, { extension: '.mp4' }],
	['another extension', { kinds: ['video'] }, { extension: '.tmp' }, { extension: '.mp4' }],
	['another type', { kinds: ['video'] }, { type: 'Image' }, { type: 'Video' }],
])(
	'a new asset that is excluded is emitted once it gets %s, with and without a restart',
	async (_what, filters, before, after) => {
		const id = createUuid('A');
		const details = { id, name: 'draft', extension: '.tmp' };
		const list = (listed: object) => {
			watching.service.clearFaults();
			watching.service.injectFault({ when: { path: `/v1/assets/${id}` }, body: details });
			watching.service.injectFault({
				when: { path: '/v1/assets' },
				body: { assets: [{ id, ...listed }] },
			});
		};
		for (const isRestarted of [false, true]) {
			watching.service.clearFaults();
			const workflow = await watching.activateWorkflow(watchAssets({}, filters));
			list(before);
			expect(await workflow.poll()).toEqual([]);
			const requested = getDetailRoutes();
			expect(await workflow.poll()).toEqual([]);
			expect(getDetailRoutes()).toEqual(requested);
			list(after);
			const emittedFirst = isRestarted ? await workflow.restart() : [];
			expect([...emittedFirst, ...(await workflow.poll())]).toHaveLength(1);
		}
	},
);

test.each([
	['filter', { parameters: watchAssets({}, { kinds: ['image', 'video'] }) }],
	['credential', { credentialId: 'another' }],
])('with another %s, a list that is empty for once makes no known asset new', async (_, change) => {
	const workflow = await watching.activateWorkflow();
	watching.service.injectFault({ when: { path: '/v1/assets' }, body: { assets: [] } });
	expect(await workflow.update(change)).toEqual([]);
	watching.service.clearFaults();
	expect(await workflow.poll()).toEqual([]);
	watching.service.assets = [...watching.service.assets, ...added.slice(0, 1)];
	expect(getItemNames(await workflow.poll())).toEqual(['Portrait of Ann']);
});

test('the language filter passes only voices with that language', async () => {
	const workflow = await watching.activateWorkflow(watchVoices({ languageCode: 'EN-gb' }));
	watching.addVoice('amber', 'en-GB');
	watching.addVoice('blanche', 'fr-FR');
	expect(getItemNames(await workflow.poll())).toEqual(['Amber']);
	expect(await workflow.poll()).toEqual([]);
});

test('a language that no voice speaks yet can be watched, and the log says so', async () => {
	const workflow = await watching.activateWorkflow(watchVoices({ languageCode: 'xx-XX' }));
	expect(warnings).toEqual([expect.stringContaining('No voice speaks the language "xx-XX"')]);
	expect(await workflow.poll()).toEqual([]);
	watching.addVoice('amber', 'xx-XX');
	expect(getItemNames(await workflow.poll())).toEqual(['Amber']);
	expect(warnings).toHaveLength(1);
});

test.each([
	[watchAssets({}, { nameContains: 'a'.repeat(201) }), 'is too long to search for'],
	[watchAssets({}, { nameContains: '={{ "" }}' }), 'Name Contains is empty because its expression'],
	[watchAssets({}, { kinds: '={{ [] }}' }), 'Types is empty because its expression'],
	[
		watchAssets({}, { nameContains: '=Logo {{ $vars.campaign }}' }),
		'Name Contains has no value for {{ $vars.campaign }}',
	],
	[watchAssets({}, { kinds: 'image' }), 'Types must be a list'],
	[watchVoices({ languageCode: '={{ " " }}' }), 'Language Name or ID is empty because'],
])('a filter that cannot be meant is refused before anything is sent', async (watch, words) => {
	const workflow = await watching.createWorkflow(watch);
	await expect(workflow.activate()).rejects.toThrow(words);
	expect(watching.service.requests).toEqual([]);
});
