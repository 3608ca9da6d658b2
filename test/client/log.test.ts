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
const clock = useClock();
beforeEach(() => clock.run());

const QUOTA = { status: 429, body: { message: 'Only five at a time' } };
const METADATA = { node: 'Avatar Studio', workflowId: 'workflow' };
const messages = (level: string) =>
	logLines.filter((line) => line.level === level).map(({ message }) => message);
const sleep = async (seconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Nothing is admitted for so many seconds from now on. */
function refuseFor(seconds: number, fault: Fault = QUOTA): void {
	const until = Date.now() + seconds * 1000;
	studio.service.injectFault({ ...fault, when: () => Date.now() < until });
}

const readAll = async (count: number) =>
	await studio.run(getAsset(ITEM_ID), { items: createIdItems(studio.service.addAssets(count)) });

const WAITS =
	/^127\.0\.0\.1:\d+ has admitted no request for \d+ s \(429 "Only five at a time"\)\. Requests that wait, until 20[\d-]+T[\d:.]+Z at most: \d+, of "Avatar Studio" in workflow "Workflow"\.$/;
const IS_OVER = /^127\.0\.0\.1:\d+ admits requests again, after \d+ s\.$/;

test.each([
	[60, 1],
	[660, 3],
])(
	'G12: If nothing is admitted for %i s, so many lines say that four runs wait: %i',
	async (...row) => {
		const [seconds, lines] = row;
		refuseFor(seconds);
		await Promise.all(Array.from({ length: 4 }, async () => await readAll(3)));
		const told = messages('info');

		expect(told.splice(-1)).toEqual([expect.stringMatching(IS_OVER)]);
		expect(told).toHaveLength(lines);
		for (const line of told) expect(line).toMatch(WAITS);
		for (const { metadata } of logLines) expect(metadata).toMatchObject(METADATA);
	},
);

test('A wait of some seconds is no news', async () => {
	refuseFor(5);
	await readAll(3);

	expect(messages('info')).toEqual([]);
});

test('A picker and an announced pause do not hide who waits', async () => {
	refuseFor(60, { status: 429, headers: { 'retry-after': '60' } });
	const run = readAll(60);
	await sleep(9);
	const searched = searchList('searchVoices', studio.credentials).catch(() => undefined);
	await run;
	await searched;
	const [waits, ...after] = messages('info');

	expect(waits).toContain('(429 "Injected fault")');
	expect(waits).toContain('60, of "Avatar Studio" in');
	expect(after).toEqual([expect.stringMatching(IS_OVER)]);
});

test.each([
	[5, 2, 120],
	[2, 20, 8],
	[2, 40, 8],
])(
	'A limit of %i at a time that is used to its full, with responses after %i s, is told at debug',
	async (concurrent, seconds, count) => {
		studio.service.configure({ rateLimit: { concurrent }, latencyMs: seconds * 1000 });
		await readAll(count);

		expect(messages('info')).toEqual([]);
		expect(messages('debug').join('\n')).toMatch(/seems to allow about \d+ requests at a time\./);
	},
);

test('The end of a wait is told if the run is cancelled, once another is admitted', async () => {
	refuseFor(3_600);
	const run = studio.start(createVideo({ script: ITEM_SCRIPT }), { items: createScriptItems(60) });
	await sleep(60);
	await run.cancel();
	await sleep(60);
	studio.service.clearFaults();
	await studio.run(createVideo());

	expect(messages('info')).toEqual([
		expect.stringMatching(/^127\.0\.0\.1:\d+\/v1\/talkingphotos has admitted no request for 10 s/),
		expect.stringMatching(
			/^127\.0\.0\.1:\d+\/v1\/talkingphotos admits requests again, after 12\d s\.$/,
		),
	]);
});

test.each<[string, () => object, Fault, RegExp[]]>([
	[
		'a refused read',
		() => getAsset(studio.service.assets[0]!.id),
		{ ...QUOTA, times: 1 },
		[/^GET \/v1\/assets\/\S+: 429 "Only five at a time"\. It is sent again in 0\.5 s\.$/],
	],
	[
		'a read whose connection breaks',
		() => getAsset(studio.service.assets[0]!.id),
		{ disconnect: 'beforeResponse', times: 1 },
		[/^GET \/v1\/assets\/\S+: The connection \D+\. It is sent again in 0\.\d s\.$/],
	],
	[
		'a download',
		() => downloadAsset(studio.service.assets[0]!.id),
		{ status: 502, times: 1, when: ({ host }) => host === 'files' },
		[/^GET a file of 127\.0\.0\.1:\d+: 502\. It is sent again in 0\.\d s\.$/],
	],
	['a creation', createSpeech, { times: 0 }, [/speech: it is sent\.$/, /speech: done\.$/]],
	[
		'a creation that is rejected',
		createSpeech,
		{ status: 422 },
		[/speech: it is sent\.$/, /speech: not done\.$/],
	],
	[
		'a creation whose response does not come',
		() => withTimeout(20_000, createSpeech()),
		{ hang: true },
		[/speech: it is sent\.$/, /speech: it may exist\.$/],
	],
])(
	'The log shows at the level debug what becomes of %s',
	async (_what, parameters, fault, lines) => {
		studio.service.injectFault(fault);
		await studio.getOutcome(parameters() as never);

		expect(messages('debug')).toEqual(lines.map((line) => expect.stringMatching(line) as string));
		expect(messages('info')).toEqual([]);
	},
);
