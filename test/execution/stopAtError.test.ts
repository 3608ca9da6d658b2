import type { RequestListener } from 'node:http';

import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { getError } from '../support/engine/engine';
import { asType } from '../support/faults';
import {
	CONTINUE,
	createIdItems,
	createLocator,
	createScriptItems,
	createSpeech,
	createSpeeches,
	createVideo,
	deleteAsset,
	ITEM_SCRIPT,
	RETRY,
	SOME_ID,
	withTimeout,
} from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
const clock = useClock();
beforeEach(() => clock.run());
const OTHERS = 'Other items of this run: 49 created something, 0 may have. Look';
const BAD = 'Script 5';
const isBad = ({ body }: { body?: unknown }) => (body as { script?: string }).script === BAD;
/** An expression whose value is another one for the item at 5. */
const atFive = (bad: string, good: string) => `={{ $itemIndex === 5 ? ${bad} : ${good} }}`;
const countScripts = () => studio.service.speeches.length;

describe('G2: before anything is sent, every item is prepared:', () => {
	const avatarId = atFive('"not an ID"', '$json.id');
	const script = atFive('$("Nowhere").item.json.x', '"Hello"');
	const voiceId = createLocator(atFive('"Nobody"', '"Ryan"'), 'name');

	it.each([
		['an avatar that does not exist', { avatarId }, 'This service has no list of avatars'],
		['an expression that cannot be evaluated', { script }, "Referenced node doesn't exist"],
		['a voice that does not exist', { voiceId }, 'Voice "Nobody"'],
	])('%s costs nothing', async (_what, given, message) => {
		const items = createIdItems(studio.service.addAssets(10));
		expect(await studio.getFailure(createVideo(given), { items })).toContain(message);
		expect(studio.service.videos).toEqual([]);
		expect(studio.getRoutes().filter((route) => !route.startsWith('GET'))).toEqual([]);
	});

	it('with Execute Once, only the first item counts', async () => {
		await studio.run(...createSpeeches(5, { settings: { executeOnce: true } }));
		expect(countScripts()).toBe(1);
	});

	it('with Batching, a batch does not wait for those that n8n holds back', async () => {
		const requestOptions = { batching: { batch: { batchSize: 2, batchInterval: 10 } } };
		const items = createScriptItems(5);
		await studio.run(createSpeech({ script: ITEM_SCRIPT, requestOptions }), { items });
		expect(countScripts()).toBe(5);
	});
});

describe('G2: after the first item that fails for good,', () => {
	it('nothing further is sent, and the error says what was created', async () => {
		// Time for 50 requests to leave, even on a busy machine.
		const refusal = { status: 422, body: { message: 'Too loud' }, latencyMs: 200 };
		studio.service.injectFault({ when: isBad, ...refusal });
		studio.service.injectFault({ latencyMs: 400 });
		const error = await getError(studio.run(...createSpeeches(80)));

		expect(countScripts()).toBe(49);
		expect(studio.getRoutes()).toHaveLength(50);
		expect(error.message).toContain('Too loud [item 5]');
		expect(error.description).toContain(`${OTHERS} in the studio application`);
		expect(error.description).toContain('set On Error to Continue');
	});

	it.each<[string, RequestListener]>([
		['is not there yet', (_request, response) => response.writeHead(404).end()],
		['does not begin', () => undefined],
		['does not end', (_request, response) => response.write('ID3'.padEnd(1_000))],
		['has a host that is busy', (_request, response) => response.writeHead(429).end()],
	])('the run does not wait for the file of another item, which %s', async (_what, respond) => {
		const { url } = await startRawHost(respond);
		studio.service.injectFault({ when: isBad, status: 403, latencyMs: 5_000 });
		studio.service.injectFault({ body: { url: `${url}/late.mp3` } });
		const start = Date.now();
		const options = { downloadFile: true, maxWaitMinutes: 5 };
		const items = ['Hello', BAD].map((script) => ({ json: { script } }));
		const parameters = createSpeech({ script: ITEM_SCRIPT, options });
		const error = await getError(studio.run(parameters, { items }));
		expect(error.message).toContain('[item 1]');
		expect(error.description).toContain('1 created something, 0 may have');
		expect(Date.now() - start).toBeLessThan(6_000);
	});

	it('the file of what was created is still downloaded, for Retry On Fail', async () => {
		const file = { when: { host: 'files' as const } };
		const url = `${studio.service.filesUrl}/late.mp3`;
		studio.service.injectFault({ when: isBad, status: 403, times: 1, latencyMs: 50 });
		studio.service.injectFault({ ...file, status: 404, times: 2 });
		studio.service.injectFault({ ...file, body: 'ID3 audio' });
		studio.service.injectFault({ body: { id: SOME_ID, url } });
		const options = { downloadFile: true, maxWaitMinutes: 5 };
		const items = ['Hello', BAD].map((script) => ({ json: { script } }));
		const parameters = createSpeech({ script: ITEM_SCRIPT, options });
		const { json } = await studio.run(parameters, { items, settings: RETRY });

		expect(json).toEqual(Array(2).fill({ id: SOME_ID, url, fileUrl: url }));
		expect(studio.getRoutes()).toHaveLength(3);
	});

	it('Retry On Fail makes nothing more behind what may have been made', async () => {
		// Time for 50 requests to leave, even on a busy machine.
		studio.service.injectFault({ when: isBad, status: 500, afterEffect: true, latencyMs: 200 });
		studio.service.injectFault({ latencyMs: 400 });
		const error = await getError(studio.run(...createSpeeches(80, { settings: RETRY })));
		expect(studio.getRoutes()).toHaveLength(50);
		expect(error.description).toContain(OTHERS);
	});
});

describe('whether it may exist', () => {
	const firewall = { status: 403, ...asType('text/html', '<title>Just a moment...</title>') };

	it.each<[string, Fault, advice: string]>([
		['a refusal', { status: 429 }, 'other programs may be using the same account'],
		['a rejection', { status: 422 }, 'Correct the values of this item. Other items'],
	])('or was created is looked at before %s is repeated', async (_what, fault, advice) => {
		studio.service.injectFault({ when: isBad, ...fault, latencyMs: 100 });
		const parameters = createSpeech({ script: ITEM_SCRIPT, options: { waitIfBusyMinutes: 0 } });
		const error = await getError(studio.run(parameters, { items: createScriptItems(6) }));
		expect(error.description).toContain(advice);
		expect(error.description).toContain('Other items of this run: 5 created something, 0 may have');
		expect(error.description).not.toMatch(/try again/i);
	});

	it.each([
		['a timeout', { hang: true, afterEffect: true }, 'timeout', true],
		['a broken connection', { disconnect: 'beforeResponse' }, 'connection', true],
		['408, perhaps of a proxy that passed the request on', { status: 408 }, 'unavailable', true],
		['500', { status: 500 }, 'unavailable', true],
		['503', { status: 503 }, 'unavailable', true],
		['422', { status: 422 }, 'rejected', false],
		['no credits', { status: 402 }, 'noCredits', false],
		['a firewall', firewall, 'firewall', false],
	] as const)('is said after %s', async (_what, fault, code, mayExist) => {
		studio.service.injectFault(fault);
		const { json } = await studio.run(withTimeout(10_000, createVideo()), CONTINUE);
		expect(json).toMatchObject([{ errorDetails: { code, mayExist } }]);
		expect(studio.getRoutes()).toHaveLength(1);
	});

	it('is not said of a deletion, which creates nothing', async () => {
		studio.service.injectFault({ disconnect: 'beforeResponse' });
		const { json } = await studio.run(deleteAsset(SOME_ID), CONTINUE);
		expect(json).toMatchObject([{ errorDetails: { code: 'connection', mayExist: false } }]);
	});
});
