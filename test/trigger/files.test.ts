import { randomBytes } from 'node:crypto';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import type { Asset, Fault } from '../../service/service';
import { createUuid } from '../../service/uuids';
import { useClock } from '../support/clock';
import { getError, readFile } from '../support/engine/engine';
import { getItemNames, useTrigger, watchAssets } from '../support/trigger';

const watching = useTrigger();
const clock = useClock();
beforeEach(() => clock.run(20));

const withFile = (name: string, content = Buffer.from(`The file of ${name}`)): Asset => ({
	id: createUuid(name),
	name,
	extension: '.txt',
	content,
});
const add = (...assets: Asset[]) => {
	watching.service.assets = [...watching.service.assets, ...assets];
};
const DOWNLOAD = watchAssets({ downloadFile: true });
/** Three assets, of which the file of the second fails. */
const addThree = (fault: Fault) => {
	const odd = withFile('B');
	add(withFile('A'), odd, withFile('C'));
	watching.service.injectFault({
		...fault,
		when: ({ host, path }) => {
			const isHit = host === 'files' && path.includes(odd.id);
			clock.run(isHit && fault.hang ? 2_000 : 20);
			return isHit;
		},
	});
};
const countFileRequests = () =>
	watching.service.requests.filter(({ host }) => host === 'files').length;

describe('Download File', () => {
	it('attaches the file of each new asset, byte for byte', async () => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		const contents = [randomBytes(300_000), Buffer.from('ä')];
		add(...contents.map((content, index) => withFile(`File ${index}`, content)));
		const items = await workflow.poll();
		const files = await Promise.all(items.map((item) => readFile(item)));
		// Jest takes a second to compare long buffers.
		expect(files.map((file, index) => file.equals(contents[index]!))).toEqual([true, true]);
		expect(items[0]!.binary!.data).toMatchObject({
			fileName: 'File 0.txt',
			mimeType: 'text/plain',
		});
		expect(items[0]!.json).toMatchObject({ name: 'File 0', url: expect.stringContaining('http') });
		expect(items[0]!.json).not.toHaveProperty('fileError');
	});

	it.each([
		['picture', { binaryPropertyName: 'picture' }],
		['data', { binaryPropertyName: '' }],
	])('puts it in "%s" with %j', async (field, options) => {
		const workflow = await watching.activateWorkflow(
			watchAssets({ downloadFile: true, ...options }),
		);
		add(withFile('A'));
		const [item] = await workflow.poll();
		expect(Object.keys(item!.binary!)).toEqual([field]);
	});

	it('downloads nothing on activation, and nothing that the filters exclude', async () => {
		add(withFile('Before'));
		const workflow = await watching.activateWorkflow(
			watchAssets({ downloadFile: true }, { nameContains: 'wanted' }),
		);
		add(withFile('A'), withFile('B is wanted'));
		expect(getItemNames(await workflow.poll())).toEqual(['B is wanted']);
		expect(countFileRequests()).toBe(1);
	});

	it('if off, attaches and requests nothing', async () => {
		const workflow = await watching.activateWorkflow(watchAssets({ binaryPropertyName: 'data' }));
		add(withFile('A'));
		const [item] = await workflow.poll();
		expect(item).not.toHaveProperty('binary');
		expect(countFileRequests()).toBe(0);
	});
});

test.each([410, 403])(
	'a file that is refused (%i) is reported in the item and delays nothing',
	async (status) => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		addThree({ status });
		const items = await workflow.poll();
		expect(getItemNames(items)).toEqual(['A', 'B', 'C']);
		expect(items.map(({ binary }) => binary !== undefined)).toEqual([true, false, true]);
		expect(items[1]!.json.fileError).toContain('The download link of the asset was rejected');
		expect(await workflow.poll()).toEqual([]);
	},
);

describe('a file that is temporarily unavailable', () => {
	it.each<[string, Fault]>([
		['503', { status: 503 }],
		['429', { status: 429 }],
		['a truncated file', { disconnect: 'midBody' }],
		['a host that does not respond', { hang: true }],
	])('(%s) delays only its asset, which the next poll emits', async (_name, fault) => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		addThree(fault);
		expect(getItemNames(await workflow.poll())).toEqual(['A', 'C']);
		clock.run(20);
		watching.service.clearFaults();
		const items = await workflow.poll();
		expect(getItemNames(items)).toEqual(['B']);
		expect((await readFile(items[0])).toString()).toBe('The file of B');
		expect(await workflow.poll()).toEqual([]);
	});

	it('(429 with Retry-After) also delays the assets after it until that time is over', async () => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		addThree({ times: 1, status: 429, headers: { 'retry-after': '60' } });
		expect(getItemNames(await workflow.poll())).toEqual(['A']);
		await clock.pass(60_000);
		expect(getItemNames(await workflow.poll())).toEqual(['B', 'C']);
	});
});

test.each([0, 4])(
	'a poll whose file n8n cannot store emits nothing, and the next one catches up (%i)',
	async (polls) => {
		const workflow = await watching.activateWorkflow(DOWNLOAD);
		add(withFile('A'), withFile('B'));
		watching.service.injectFault({ when: { host: 'files' }, status: 404, times: 4 * polls });
		for (let poll = 0; poll < polls; poll++) expect(await workflow.poll()).toEqual([]);
		const memory = workflow.memory();
		jest
			.spyOn(Container.get(BinaryDataService), 'store')
			.mockImplementationOnce(async () => await Promise.reject(new Error('No space left')));
		const error = await getError(workflow.poll());
		expect(error.message).toBe('n8n could not store the file');
		expect(error.description).toContain('Check the disk');
		expect(workflow.memory()).toBe(memory);
		expect(getItemNames(await workflow.poll())).toEqual(['A', 'B']);
	},
);

test('files that take more time than n8n gives a poll come one at a time, each once', async () => {
	const workflow = await watching.activateWorkflow(DOWNLOAD);
	await workflow.update({ budgetMs: 0 });
	const wanted = ['A', 'B', 'C', 'D'];
	add(...wanted.map((name) => withFile(name)));
	for (const name of wanted) expect(getItemNames(await workflow.poll())).toEqual([name]);
	expect(await workflow.poll()).toEqual([]);
	expect(countFileRequests()).toBe(4);
});

test('a poll takes files for a minute if n8n does not say how much time there is', async () => {
	const workflow = await watching.activateWorkflow(DOWNLOAD);
	await workflow.update({ budgetMs: null });
	add(...['A', 'B', 'C', 'D'].map((name) => withFile(name)));
	watching.service.injectFault({
		when: ({ host }) => {
			if (host === 'files') jest.advanceTimersByTime(40_000);
			return false;
		},
	});
	expect(getItemNames(await workflow.poll())).toEqual(['A', 'B']);
	expect(getItemNames(await workflow.poll())).toEqual(['C', 'D']);
});
