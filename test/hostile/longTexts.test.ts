import type { INodeParameters } from 'n8n-workflow';

import { createLocator, getAsset, getAssets, getVoices } from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

/** What a garbage collection may add. */
const MAX_PAUSE_MS = 150;

/** In milliseconds of processor time: a machine that is busy with other work decides no test. */
function getWorkMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** @returns how much work a run is; the least of three, because Node.js has work of its own */
async function measureWork(parameters: INodeParameters, body: object): Promise<number> {
	const works: number[] = [];
	for (let run = 0; run < 3; run++) {
		studio.service.clearFaults();
		studio.service.injectFault({ body: JSON.stringify(body), times: 1 });
		const start = getWorkMs();
		await studio.getOutcome(parameters);
		works.push(getWorkMs() - start);
	}
	studio.service.requests.length = 0;
	return Math.min(...works);
}

const MARKS = '\u0301\u0323'.repeat(25_000);
const LETTERS = 'ab'.repeat(25_000);
const LETTER_PAIRS = Array.from({ length: 676 }, (_, at) =>
	String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26)),
);
const TAGS = 'af am ar az bg bn bs cs da de el en es et fa'
	.split(' ')
	.flatMap((language) => LETTER_PAIRS.map((region) => `${language}-${region}`));
const assetOf = (name: string) => ({ assets: [{ id: '1', name }] });
const voiceOf = (...languageCodes: string[]) => ({ voices: [{ voiceId: 'a', languageCodes }] });
const hideTag = (tag: string) => tag.replaceAll('-', 'x');
const byLanguage = getVoices({ filters: { languageCode: 'de-AT' } });

test.each<[string, INodeParameters, hostile: object, innocent: object]>([
	[
		'a name of 50,000 marks, in Name Contains',
		getAssets({ filters: { nameContains: 'a' } }),
		assetOf(MARKS),
		assetOf(LETTERS),
	],
	[
		'a name of 50,000 marks, in By Name',
		{ ...getAsset(''), assetId: createLocator('a', 'name') },
		assetOf(MARKS),
		assetOf(LETTERS),
	],
	[
		'a voice that speaks ten thousand languages',
		byLanguage,
		voiceOf(...TAGS),
		voiceOf(...TAGS.map(hideTag)),
	],
])(
	'G11: %s is hardly more work than an innocent text',
	async (_what, parameters, hostile, innocent) => {
		const expected = await measureWork(parameters, innocent);
		const work = await measureWork(parameters, hostile);
		expect(work).toBeLessThan(1.5 * expected + MAX_PAUSE_MS);
	},
	60_000,
);
