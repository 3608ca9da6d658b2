import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { logLines, searchList } from '../support/engine/engine';
import {
	createIdItems,
	createScriptItems,
	createSpeech,
	createVideo,
	downloadAsset,
	getAsset,
	ITEM_ID,
	ITEM_SCRIPT,
	withTimeout,
} from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();
useClock({ runs: true });

const QUOTA = { status: 429, body: { message: 'Only five at a time' } };
const BROKEN: Fault = { disconnect: 'beforeResponse' };
const FILE_FAULT: Fault = { status: 502, when: { host: 'files' } };
const METADATA = { node: 'Avatar Studio', workflowId: 'workflow' };
const messages = (level: string) =>
	logLines.filter((line) => line.level === level).map(({ message }) => message);
const sleep = async (seconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Nothing is admitted for so many seconds from now on. */
function refuseFor(seconds: number, fault: Fault = QUOTA, host = 'api'): void {
	const until = Date.now() + seconds * 1000;
	const when: Fault['when'] = (request) => Date.now() < until && request.host === host;
	studio.service.injectFault({ ...fault, when });
}

const readAll = async (count: number) =>
	await studio.run(getAsset(ITEM_ID), { items: createIdItems(studio.service.addAssets(count)) });

const WAITS =
	/^127\.0\.0\.1:\d+ has admitted no request for \d+ s \(429 "Only five at a time"\)\. Requests that wait, until 20[\d-]+T[\d:.]+Z at most: \d+, of "Avatar Studio" in workflow "Workflow"\.$/;
const IS_OVER = /^127\.0\.0\.1:\d+ admits requests again, after \d+ s\.$/;

test.each([
	[60, 1],
	[660, 3],
])('G12: Four runs that wait for %i s are told by so many lines: %i', async (seconds, lines) => {
	refuseFor(seconds);
	await Promise.all(Array.from({ length: 4 }, async () => await readAll(3)));
	const told = messages('info');

	expect(told.splice(-1)).toEqual([expect.stringMatching(IS_OVER)]);
	expect(told).toHaveLength(lines);
	for (const line of told) expect(line).toMatch(WAITS);
	for (const { metadata } of logLines) expect(metadata).toMatchObject(METADATA);
});

test('A wait of some seconds is no news', async () => {
	refuseFor(5);
	await readAll(3);

	expect(messages('info')).toEqual([]);
});

test('A picker and an announced pause do not hide who waits', async () => {
	refuseFor(60, { status: 429, headers: { 'retry-after': '60' } });
	const run = readAll(60);
	await sleep(9);
	await Promise.allSettled([searchList('searchVoices', studio.credentials), run]);
	const [waits, ...after] = messages('info');

	expect(waits).toContain('(429 "Injected fault")');
	expect(waits).toContain('60, of "Avatar Studio" in');
	expect(after).toEqual([expect.stringMatching(IS_OVER)]);
});

test.each([
	[5, 2, 120],
	[2, 20, 8],
	[2, 40, 8],
])('A full limit of %i, with responses after %i s, is told at debug', async (...row) => {
	const [concurrent, seconds, count] = row;
	studio.service.configure({ rateLimit: { concurrent }, latencyMs: seconds * 1000 });
	await readAll(count);

	expect(messages('info')).toEqual([]);
	expect(messages('debug').join('\n')).toMatch(/seems to allow about \d+ requests at a time\./);
});

test('The log names no file of which a host that refuses its download speaks', async () => {
	const words = { message: 'My secret title.mp4 is in demand' };
	refuseFor(30, { status: 429, body: words }, 'files');
	await studio.run(downloadAsset(studio.service.assets[0]!.id));

	expect(messages('info')).toHaveLength(2);
	expect(messages('debug').length).toBeGreaterThan(2);
	expect(JSON.stringify(logLines)).not.toContain('secret');
});

test.each<[INodeParameters, string]>([
	[{ waitIfBusyMinutes: 1e14 }, 'api'],
	[{ maxWaitMinutes: 1e14, downloadFile: true }, 'files'],
])('A wait may be as long as a user likes: %j', async (options, host) => {
	studio.service.configure({ speechResponse: 'link' });
	refuseFor(30, QUOTA, host);
	await studio.run(createSpeech({ options }));

	expect(messages('info')).toHaveLength(2);
});

test('The end of a wait is told if the run is cancelled, once another is admitted', async () => {
	refuseFor(3_600);
	const run = studio.start(createVideo({ script: ITEM_SCRIPT }), { items: createScriptItems(60) });
	await sleep(60);
	await run.cancel();
	await sleep(60);
	studio.service.clearFaults();
	await studio.run(createVideo());

	const [waits, isOver, ...others] = messages('info');
	expect(waits).toMatch(/^127\.0\.0\.1:\d+\/v1\/talkingphotos has admitted no request for 10 s/);
	expect(isOver).toMatch(
		/^127\.0\.0\.1:\d+\/v1\/talkingphotos admits requests again, after 12\d s\.$/,
	);
	expect(others).toEqual([]);
});

test.each<[string, Fault, RegExp]>([
	['a refused read', QUOTA, /^GET \/v1\/assets\/\S+: 429 "Only five at a time"\. .* in 0\.5 s\.$/],
	['a broken connection', BROKEN, /^GET \/v1\/assets\/\S+: The connection \D+\. .* in 0\.\d s\.$/],
	['a download', FILE_FAULT, /^GET a file of 127\.0\.0\.1:\d+: 502\. .* in 0\.\d s\.$/],
])('The log shows at the level debug that %s is sent again', async (_what, fault, line) => {
	studio.service.injectFault({ ...fault, times: 1 });
	await studio.run(downloadAsset(studio.service.assets[0]!.id));

	expect(messages('debug')).toEqual([expect.stringMatching(line)]);
	expect(messages('debug')).toEqual([expect.stringContaining('. It is sent again in 0.')]);
	expect(messages('info')).toEqual([]);
});

test.each<[string, Fault, string]>([
	['succeeds', { times: 0 }, 'done'],
	['is rejected', { status: 422 }, 'not done'],
	['gets no response', { hang: true }, 'it may exist'],
])('The log shows at the level debug what becomes of a creation that %s', async (...row) => {
	const [, fault, outcome] = row;
	studio.service.injectFault(fault);
	await studio.getOutcome(withTimeout(20_000, createSpeech()));

	expect(messages('debug')).toEqual([
		expect.stringMatching(/speech: it is sent\.$/),
		expect.stringMatching(`speech: ${outcome}\\.$`),
	]);
	expect(messages('info')).toEqual([]);
});
