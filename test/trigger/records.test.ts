import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';

import type { Asset, Fault } from '../../service/service';
import { createUuid } from '../../service/uuids';
import { useClock } from '../support/clock';
import { getError, getErrorText, readFile, warnings } from '../support/engine/engine';
import type { TriggerWorkflow } from '../support/engine/triggerWorkflow';
import {
	getIds,
	getItemIds,
	getItemNames,
	useTrigger,
	watchAssets,
	watchVoices,
} from '../support/trigger';

const watching = useTrigger();
const clock = useClock({ runs: true });

const DOWNLOAD = watchAssets({ downloadFile: true });

const asset = (name: string, extension = '.txt'): Asset => ({
	id: createUuid(name),
	name,
	extension,
	content: Buffer.from(`The file of ${name}`),
});
const add = (...assets: Asset[]) => {
	watching.service.assets = [...watching.service.assets, ...assets];
};
/** Adds three assets, and lets every request for the second fail: its details, or only its file. */
const addWithFault = (host: 'api' | 'files', fault: Fault) => {
	add(asset('A'), asset('Odd'), asset('C'));
	const isHit: Fault['when'] = (request) =>
		request.host === host && request.path.includes(createUuid('Odd'));
	watching.service.injectFault({ ...fault, when: isHit });
};

describe('the event', () => {
	it.each([
		['newAsset', 'There is assetCreated (New Asset)'],
		['videoCompleted', 'Trigger On does not know the event "videoCompleted"'],
		['', 'Trigger On does not know the event ""'],
		['{{ "assetCreated" }}', 'Trigger On is an expression, which n8n does not evaluate'],
		['={{ "assetCreated" }}', 'Trigger On is an expression, which n8n does not evaluate'],
	])('"%s" is refused, naming what there is, and nothing is sent', async (event, words) => {
		const workflow = watching.createWorkflow({ event });
		expect(getErrorText(await getError(workflow.activate()))).toContain(words);
		expect(watching.service.requests).toEqual([]);
	});

	// n8n drops the values of fields that it does not show.
	const spellings = ['New Asset', 'new asset', ' NEW ASSET', 'assetcreated', '=assetCreated'];

	it.each(spellings)('"%s" is understood with its filters and options', async (event) => {
		const parameters = watchAssets({ downloadFile: true }, { kinds: ['image'] });
		const workflow = await watching.activateWorkflow({ ...parameters, event });
		add(asset('Song', '.mp3'), asset('Portrait', '.png'));
		const items = await workflow.poll();
		expect(getItemNames(items)).toEqual(['Portrait']);
		expect(items[0]!.binary).toBeDefined();
	});

	it('"New voice" is understood with its filters and Simplify', async () => {
		const parameters = { ...watchVoices({ languageCode: 'de-DE' }), simplify: false };
		const workflow = await watching.activateWorkflow({ ...parameters, event: 'New voice' });
		watching.addVoice('amber');
		const voice = watching.addVoice('berta', 'de-DE');
		expect(await workflow.poll()).toEqual([{ json: voice }]);
	});
});

describe('the filters', () => {
	const media = [
		asset('Portrait of Ann', '.png'),
		asset('Portrait on film', '.mp4'),
		asset('Song', '.MP3'),
		asset('Leaflet', '.pdf'),
		asset('Unknown', ''),
	];

	it.each<[INodeParameters, string[]]>([
		[{ kinds: ['image', 'music'] }, ['Portrait of Ann', 'Song', 'Unknown']],
		[{ kinds: [] }, media.map(({ name }) => name)],
		[{ nameContains: ' portrait ' }, ['Portrait of Ann', 'Portrait on film']],
		[{ nameContains: '' }, media.map(({ name }) => name)],
		[{ nameContains: 'leaflet', kinds: ['image'] }, []],
	])('%j pass %j', async (filters, expected) => {
		const workflow = await watching.activateWorkflow(watchAssets({}, filters));
		add(...media);
		expect(getItemNames(await workflow.poll())).toEqual(expected);
		expect(await workflow.poll()).toEqual([]);
	});

	it('request each new asset once if the list has neither type nor extension', async () => {
		watching.service.configure({ listedAssetFields: 'minimal' });
		const filters = { kinds: ['video'], nameContains: 'portrait' };
		const workflow = await watching.activateWorkflow(watchAssets({}, filters));
		add(...media);
		const [item, ...others] = await workflow.poll();
		expect(item!.json).toMatchObject({ extension: '.mp4', url: expect.stringContaining('http') });
		expect(others).toEqual([]);
		expect(await workflow.poll()).toEqual([]);
		const details = watching.getRoutes().filter((route) => route !== 'GET /v1/assets');
		expect(details).toEqual(media.slice(0, 2).map(({ id }) => `GET /v1/assets/${id}`));
	});

	it.each([
		[watchAssets({}, { nameContains: 'a'.repeat(201) }), 'is too long to search for'],
		[watchAssets({}, { nameContains: '={{ "" }}' }), 'Name Contains is empty'],
		[watchAssets({}, { kinds: '={{ [] }}' }), 'Types is empty'],
		[watchAssets({}, { kinds: 'image' }), 'Types must be a list'],
		[watchVoices({ languageCode: '={{ " " }}' }), 'Language Name or ID is empty'],
		[watchAssets({}, { name: 'zzz' }), 'Filters has no "name"'],
		[{ ...watchAssets({}, { name: 'zzz' }), event: 'New Asset' }, 'Filters has no "name"'],
		[watchAssets({ nameContains: 'a' }), 'Options has no "nameContains"'],
		[{ ...watchAssets(), filters: '{"kinds":["image"]}' }, 'Filters must be an object'],
		[{ ...watchVoices(), filters: '={{ undefined }}' }, 'Filters is empty'],
	])('that cannot be meant are refused before anything is sent', async (watch, words) => {
		const workflow = watching.createWorkflow(watch);
		await expect(workflow.activate()).rejects.toThrow(words);
		expect(watching.service.requests).toEqual([]);
	});
});

describe('Download File', () => {
	it.each([
		['data', {}],
		['picture', { binaryPropertyName: 'picture' }],
	])('attaches the file of each new asset in "%s"', async (field, options) => {
		add(asset('Before'));
		const watch = watchAssets({ downloadFile: true, ...options }, { nameContains: 'wanted' });
		const workflow = await watching.activateWorkflow(watch);
		add(asset('A'), asset('B is wanted'));
		const [item] = await workflow.poll();
		expect(Object.keys(item!.binary!)).toEqual([field]);
		expect(item!.binary![field]).toMatchObject({ fileName: 'B is wanted.txt' });
		expect((await readFile(item, field)).toString()).toBe('The file of B is wanted');
		const files = watching.service.requests.filter(({ host }) => host === 'files');
		expect(files).toHaveLength(1);
	});

	it('reports at once that an asset with such an ID cannot be requested', async () => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		add({ ...asset('Odd'), id: '..' });
		const [item] = await workflow.poll();
		expect(item!.json).toMatchObject({
			name: 'Odd',
			fileError: 'The ID of this record cannot be part of a URL.',
		});
		expect(await workflow.poll()).toEqual([]);
	});

	it.each([410, 400])('reports a file that is refused (%i) in the item', async (status) => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		addWithFault('files', { status });
		const items = await workflow.poll();
		expect(getItemNames(items)).toEqual(['A', 'Odd', 'C']);
		expect(items.map(({ binary }) => binary !== undefined)).toEqual([true, false, true]);
		expect(items[1]!.json.fileError).toContain('could not be downloaded');
		expect(await workflow.poll()).toEqual([]);
	});

	it('reports at once that n8n blocks a file, to protect its network', async () => {
		const protection = Container.get(SsrfProtectionConfig);
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		add(asset('Odd'));
		watching.service.injectFault({
			when: ({ path }) => {
				// From its details on: what follows is the download.
				protection.enabled ||= path.includes(createUuid('Odd'));
				return false;
			},
		});
		const [item] = await workflow.poll().finally(() => (protection.enabled = false));
		expect(item?.json.fileError).toMatch(/blocked/);
		expect(await workflow.poll()).toEqual([]);
	});

	it('requests a link with blanks, as storage services write them', async () => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		const url = `${watching.service.filesUrl}/My Photo 1.png?sig=a%2Bb`;
		const file = { headers: { 'content-type': 'image/png' }, body: 'picture' };
		watching.service.injectFault({ when: { host: 'files' }, ...file });
		addWithFault('api', { body: { name: 'Odd', url } });
		const items = await workflow.poll();
		expect(items.map(({ binary }) => binary?.data?.fileName)).toContain('Odd.png');
		expect(watching.service.requests).toContainEqual(
			expect.objectContaining({ path: '/My%20Photo%201.png', query: { sig: 'a+b' } }),
		);
	});

	it('takes as much time as n8n gives a poll, and leaves the others to the next', async () => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		await workflow.update({ budgetMs: 0 });
		add(asset('A'), asset('B'));
		expect(getItemNames(await workflow.poll())).toEqual(['A']);
		expect(getItemNames(await workflow.poll())).toEqual(['B']);
		await workflow.update({ budgetMs: undefined });
		add(asset('C'), asset('D'));
		expect(getItemNames(await workflow.poll())).toEqual(['C', 'D']);
	});
});

describe('an asset that cannot be read yet', () => {
	const page: Fault = { headers: { 'content-type': 'text/html' }, body: '<p>Soon</p>' };

	it.each<[string, 'api' | 'files', Fault]>([
		['404 for its file', 'files', { status: 404 }],
		['403 for its file, as S3 says it', 'files', { status: 403 }],
		['a web page', 'files', page],
		['a host that does not respond', 'files', { hang: true }],
		['401', 'api', { status: 401 }],
		['404', 'api', { status: 404 }],
		['403 of a firewall', 'api', { ...page, status: 403 }],
	])('(%s) delays no other one, and comes once it can', async (_name, host, fault) => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		addWithFault(host, fault);
		expect(getItemNames(await workflow.poll())).toEqual(['A', 'C']);
		expect(warnings).toHaveLength(1);
		for (let poll = 0; poll < 2; poll++) expect(await workflow.poll()).toEqual([]);
		watching.service.clearFaults();
		const items = await workflow.restart();
		expect(getItemNames(items)).toEqual(['Odd']);
		expect((await readFile(items[0])).toString()).toBe('The file of Odd');
		expect(await workflow.poll()).toEqual([]);
	});

	it.each([
		['no link', { url: 'soon' }],
		['no file behind it', { url: 'http://127.0.0.1:9' }],
	])('within a day (%s) is emitted with the reason', async (_name, details) => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		addWithFault('api', { body: { name: 'Odd', ...details } });
		expect(getItemNames(await workflow.poll())).toEqual(['A', 'C']);
		await clock.pass(80_000_000);
		expect(await workflow.pollDurably()).toEqual([]);
		await clock.pass(7_000_000);
		const [item] = await workflow.restart();
		expect(item!.json).toMatchObject({ name: 'Odd', fileError: expect.any(String) });
		expect(await workflow.poll()).toEqual([]);
	});

	it.each([
		[500, 0],
		[403, 1],
	])('for the filter Types (%i) is emitted with the error: %i', async (status, count) => {
		watching.service.configure({ listedAssetFields: 'minimal' });
		const workflow = await watching.activateWorkflow(watchAssets({}, { kinds: ['image'] }));
		addWithFault('api', { status });
		const items = await workflow.poll();
		expect(items.filter(({ json }) => json.error)).toHaveLength(count);
		watching.service.clearFaults();
		expect(await workflow.poll()).toEqual([]);
	});

	it('is found behind newer ones if the newest come first', async () => {
		watching.service.configure({ pagination: { order: 'newest' } });
		const watch = watchAssets({ downloadFile: true, pageSize: 10 });
		const workflow = await watching.activateWorkflow(watch);
		addWithFault('files', { status: 404 });
		expect(getItemNames(await workflow.poll())).toEqual(['A', 'C']);
		watching.service.addAssets(25);
		expect(await workflow.poll()).toHaveLength(25);
		watching.service.clearFaults();
		expect(await workflow.poll()).toEqual([]);
		await clock.pass(600_000);
		expect(getItemNames(await workflow.poll())).toEqual(['Odd']);
	});

	it('because n8n cannot store its file fails the poll, and the next one catches up', async () => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		add(asset('A'), asset('B'));
		const memory = workflow.memory();
		const storing = jest.spyOn(Container.get(BinaryDataService), 'store');
		storing.mockRejectedValueOnce(new Error('No space left'));
		const error = await getError(workflow.poll());
		expect(error.message).toBe('n8n could not store the file');
		expect(workflow.memory()).toBe(memory);
		expect(getItemNames(await workflow.poll())).toEqual(['A', 'B']);
	});
});

/** What n8n's durable scheduler gives a poll, and after how long it discards what the poll returns. */
const BUDGET_MS = 36_000;
const ABANDONED_AFTER_MS = 45_000;

describe("n8n's durable scheduler", () => {
	const injectFileFault = (fault: Fault, ...names: string[]) => {
		const isOfOne = (path: string) => names.some((name) => path.includes(createUuid(name)));
		const when: Fault['when'] = ({ host, path }) => host === 'files' && isOfOne(path);
		watching.service.injectFault({ ...fault, when });
	};
	/** @returns the names that each of the next polls emits; each must end before n8n abandons it */
	const pollInTime = async (workflow: TriggerWorkflow, count: number) => {
		const emitted: unknown[][] = [];
		for (let poll = 0; poll < count; poll++) {
			const start = performance.now();
			emitted.push(getItemNames(await workflow.pollWithFreshContext()));
			expect(performance.now() - start).toBeLessThan(ABANDONED_AFTER_MS);
		}
		return emitted;
	};
	const watchDurably = async () => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		await workflow.update({ budgetMs: BUDGET_MS });
		return workflow;
	};

	it.each<[string, Fault]>([
		['hangs', { hang: true }],
		['is refused', { status: 429 }],
		['fails', { status: 502 }],
		['takes 50 s', { latencyMs: 50_000 }],
	])('gets the other assets if a file %s', async (_what, fault) => {
		const workflow = await watchDurably();
		add(asset('A'), asset('B'), asset('Good'));
		injectFileFault(fault, 'A', 'B');
		expect((await pollInTime(workflow, 6)).flat()).toEqual(['Good']);
		add(asset('Later'));
		expect((await pollInTime(workflow, 2)).flat()).toEqual(['Later']);
		watching.service.clearFaults();
		expect((await pollInTime(workflow, 2)).flat()).toEqual(['A', 'B']);
	});

	it('gets assets whose files each take most of the time, whatever is added meanwhile', async () => {
		const workflow = await watchDurably();
		add(asset('Slow 1'), asset('Slow 2'));
		injectFileFault({ latencyMs: 30_000 }, 'Slow 1', 'Slow 2');
		injectFileFault({ latencyMs: 10_000 }, '1', '2', '3', '4');
		const emitted: unknown[] = [];
		for (const name of ['1', '2', '3', '4']) {
			add(asset(name));
			emitted.push(...(await pollInTime(workflow, 1)).flat());
		}
		expect(emitted).toEqual(expect.arrayContaining(['Slow 1', 'Slow 2']));
	});

	it.each<[string, Fault]>([
		['takes most of the time', { latencyMs: 30_000 }],
		['hangs', { hang: true }],
	])(
		'gets an asset whose file was not there, and then %s, while each poll has a new one',
		async (...row) => {
			const [, fault] = row;
			const workflow = await watchDurably();
			const names = Array.from({ length: 16 }, (_, index) => `N${index}`);
			injectFileFault({ status: 404, times: 1 }, 'Odd');
			injectFileFault(fault, 'Odd');
			injectFileFault({ latencyMs: 10_000 }, ...names);
			add(asset('Odd'));
			const emitted = [...(await pollInTime(workflow, 1))];
			for (const name of names) {
				add(asset(name));
				await clock.pass(3 * 3_600_000);
				emitted.push(...(await pollInTime(workflow, 1)));
			}
			expect(emitted.flat()).toEqual(expect.arrayContaining(['Odd', ...names.slice(0, -1)]));
		},
	);

	it('gets an asset whose details take longer than those of the excluded ones leave', async () => {
		watching.service.configure({ listedAssetFields: 'minimal' });
		const workflow = await watching.activateWorkflow(watchAssets({}, { kinds: ['image'] }));
		await workflow.update({ budgetMs: BUDGET_MS });
		const others = Array.from({ length: 32 }, (_, index) => asset(`Other ${index}`));
		add(...others, asset('Wanted', '.png'));
		const isWanted = (path: string) => path.includes(createUuid('Wanted'));
		const isOther = (path: string) => path !== '/v1/assets' && !isWanted(path);
		watching.service.injectFault({ latencyMs: 5_000, when: ({ path }) => isWanted(path) });
		watching.service.injectFault({ latencyMs: 1_000, when: ({ path }) => isOther(path) });
		expect((await pollInTime(workflow, 4)).flat()).toEqual(['Wanted']);
	});

	it('gets an asset without its file after a day in which no poll emitted anything', async () => {
		const workflow = await watchDurably();
		add(asset('Odd'));
		injectFileFault({ hang: true }, 'Odd');
		expect(await pollInTime(workflow, 1)).toEqual([[]]);
		await clock.pass(86_400_000);
		const [item] = await workflow.pollWithFreshContext();
		expect(item!.json.fileError).toContain('The response took longer than a poll may take');
	});
});

test('The log names no file of which its host speaks, but the item does', async () => {
	const workflow = await watching.activateWorkflow(DOWNLOAD);
	addWithFault('files', {
		status: 404,
		headers: { 'content-type': 'application/xml' },
		body: '<Error><Code>NoSuchKey</Code><Message>Not there</Message><Key>My secret title.mp4</Key></Error>',
	});
	await workflow.poll();
	expect(warnings).toEqual([expect.stringMatching(/could not be downloaded from .* \(404\)\. /)]);
	expect(warnings.join()).not.toMatch(/NoSuchKey|secret/);
	await clock.pass(86_400_000);
	const [item] = await workflow.poll();
	expect(item!.json.fileError).toContain('My secret title.mp4');
});

describe('"Fetch test event"', () => {
	it('shows the first asset with its file, and reads no more than that', async () => {
		watching.service.addAssets(1_000);
		const workflow = watching.createWorkflow(DOWNLOAD);
		const items = await workflow.fetchTestEvent();
		expect(getItemNames(items)).toEqual([watching.service.assets[0]!.name]);
		expect(await readFile(items[0])).toEqual(watching.service.assets[0]!.content);
		const { id } = watching.service.assets[0]!;
		expect(watching.getRoutes()).toEqual(['GET /v1/assets', `GET /v1/assets/${id}`]);
	});

	it('shows the first that matches the filters, or why it cannot be read', async () => {
		watching.service.addAssets(150);
		add(asset('Needle'), asset('Needle 2'));
		watching.service.injectFault({ when: { host: 'files' }, status: 404 });
		const filters = { nameContains: 'needle' };
		const workflow = watching.createWorkflow(watchAssets({}, filters));
		expect(getItemNames(await workflow.fetchTestEvent())).toEqual(['Needle']);
		workflow.change({ parameters: watchAssets({ downloadFile: true }, filters) });
		const error = await getError(workflow.fetchTestEvent());
		expect(error.message).toContain('The file could not be downloaded');
	});

	it('explains that nothing matches', async () => {
		const workflow = watching.createWorkflow(watchAssets({}, { nameContains: 'nobody' }));
		const { message, description } = await getError(workflow.fetchTestEvent());
		expect(message).toBe('There are no assets that match');
		expect(description).toContain('change the filters, then fetch a test event again');
	});
});

test('The durable scheduler begins polls faster than the service lists assets, and each asset is emitted once', async () => {
	const workflow = await watching.activateWorkflow();
	const added = watching.service.addAssets(2);
	watching.service.injectFault({ latencyMs: 50, times: 1 });
	const first = workflow.pollWithFreshContext();
	const second = workflow.pollWithFreshContext();
	expect(await second).toEqual([]);
	expect(getItemIds(await first)).toEqual(getIds(added));
	expect(await workflow.pollWithFreshContext()).toEqual([]);
});
