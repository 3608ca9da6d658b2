import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../service/service';
import { createLocator, createSpeech, getAsset, getAssets, getVoices } from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

/** What a garbage collection may add. */
const MAX_PAUSE_MS = 150;

/** In milliseconds of processor time: a machine that is busy with other work decides no test. */
function getWorkMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** The texts of a run's items; each run has others, because the node remembers what it compared. */
type GetTexts = (run: number) => string[];

/**
 * @returns the most work for which a run holds the event loop, in milliseconds; the least of three runs,
 *   because Node.js has work of its own now and then
 */
async function measureHold(parameters: INodeParameters, body: unknown, getTexts: GetTexts) {
	const holds: number[] = [];
	for (let run = 0; run < 3; run++) holds.push(await measureRun(parameters, body, getTexts(run)));
	return Math.min(...holds);
}

async function measureRun(parameters: INodeParameters, body: unknown, texts: string[]) {
	const fault = { body: body as Fault['body'], when: { method: 'GET' } } as const;
	studio.service.injectFault({ ...fault, times: 1 });
	let longest = 0;
	let last = getWorkMs();
	let onTick = () => {};
	const timer = setInterval(() => {
		const now = getWorkMs();
		longest = Math.max(longest, now - last);
		last = now;
		onTick();
	});
	await studio.run(parameters, {
		items: texts.map((text) => ({ json: { text } })),
		settings: { onError: 'continueRegularOutput' },
	});
	await new Promise<void>((resolve) => (onTick = resolve));
	clearInterval(timer);
	return longest;
}

const TEXT = '={{ $json.text }}';
const createText = (part: string, length: number) =>
	part.repeat(Math.ceil(length / part.length)).slice(0, length);
const assetOf = (name: string) => ({ assets: [{ id: '1', name }] });
const voiceOf = (...languageCodes: string[]) => ({ voices: [{ voiceId: 'a', languageCodes }] });

const createLongTag = (separator: string) =>
	['en', ...Array.from({ length: 20_000 }, (_, index) => (60_000_000 + index).toString(36))].join(
		separator,
	);

const MARKS = createText('\u0301\u0323', 50_000);
const LETTERS = createText('ab', 50_000);
const letter = (index: number) => String.fromCharCode(97 + (index % 26));
const REGIONS = Array.from({ length: 676 }, (_, i) => letter(i) + letter(Math.floor(i / 26)));
const LANGUAGES =
	'af am ar az bg bn bs cs da de el en es et fa fi fr gu he hi hr hu id it ja ko mr nl pl pt';
const TAGS = LANGUAGES.split(' ')
	.flatMap((language) => REGIONS.map((region) => `${language}-${region}`))
	.filter((_tag, index) => index % 2 === 0);
const codes = (start: number) => TAGS.slice(start % 9_000, (start % 9_000) + 33).join(' ');
const getCodes: GetTexts = (run) =>
	Array.from({ length: 300 }, (_, index) => codes((run * 300 + index) * 33));
const FAILURES = `${LETTERS.repeat(10)} ${Array.from({ length: 30_000 }, (_, at) => `[object a${at}]`).join(' ')}`;
const noText: GetTexts = () => [''];

test.each<[string, INodeParameters, [hostile: unknown, innocent: unknown], GetTexts, GetTexts]>([
	[
		'a voice ID that is a long language tag',
		createSpeech({ voiceId: createLocator(TEXT) }),
		[voiceOf(), voiceOf()],
		() => [
			['en', ...REGIONS.flatMap((one) => REGIONS.map((other) => `${one}x${other}`))]
				.join('-')
				.slice(0, 150_001),
		],
		() => [createText('abcde', 150_002)],
	],
	[
		'a name of 50,000 marks, in Name Contains',
		getAssets({ filters: { nameContains: 'a' } }),
		[assetOf(MARKS), assetOf(LETTERS)],
		noText,
		noText,
	],
	[
		'a name of 50,000 marks, in By Name',
		{ ...getAsset(''), assetId: createLocator('a', 'name') },
		[assetOf(MARKS), assetOf(LETTERS)],
		noText,
		noText,
	],
	[
		'a voice that speaks ten thousand languages',
		getVoices({ filters: { languageCode: 'de-AT' } }),
		[voiceOf(...TAGS), voiceOf(...TAGS.map((tag) => tag.replace('-', 'x')))],
		noText,
		noText,
	],
	[
		'a voice whose language is a long tag',
		getVoices({ filters: { languageCode: 'de-AT' } }),
		[voiceOf(createLongTag('-')), voiceOf(createLongTag('x'))],
		noText,
		noText,
	],
	[
		'300 items of 33 language codes each',
		createSpeech({ voiceId: createLocator(TEXT, 'language') }),
		[voiceOf('English'), voiceOf('English')],
		getCodes,
		(run) => getCodes(run).map((text) => text.replaceAll('-', 'x')),
	],
	[
		'a script of what looks like thousands of failed calculations',
		createSpeech({ script: '={{ $json.text.trim() }}', options: { dryRun: true } }),
		[voiceOf(), voiceOf()],
		() => [FAILURES],
		() => [FAILURES.replaceAll('[', '(')],
	],
])(
	'%s holds n8n hardly longer than an innocent text',
	async (_what, run, bodies, texts, innocent) => {
		const [hostileBody, innocentBody] = bodies;
		const expected = await measureHold(run, innocentBody, innocent);
		const hold = await measureHold(run, hostileBody, texts);
		studio.service.requests.length = 0;
		expect(hold).toBeLessThan(1.5 * expected + MAX_PAUSE_MS);
	},
	60_000,
);
