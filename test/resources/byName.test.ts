import * as fc from 'fast-check';

import { describeAsset } from '../../nodes/AvatarStudio/resources/asset/asset';
import { findInList, NameFinder } from '../../nodes/AvatarStudio/resources/nameFinder';
import { voiceList } from '../../nodes/AvatarStudio/resources/voice/voice';
import type { Fault, Voice } from '../../service/service';
import { createUuid } from '../../service/uuids';
import { useClock } from '../support/clock';
import { getError, getErrorText } from '../support/engine/engine';
import {
	createLocator,
	createSpeech,
	createVideo,
	deleteAsset,
	getAsset,
	VOICE,
	withTimeout,
} from '../support/parameters';
import { getCases, SEED } from '../support/randomCases';
import { findUnusedAddress } from '../support/rawHost';
import { getApiRequests } from '../support/requests';
import { useStudio } from '../support/studio';

const studio = useStudio();

const X = '={{ $json.x }}';
const byName = (text: string) => createSpeech({ voiceId: createLocator(text, 'name') });
const byLanguage = (text: string) => createSpeech({ voiceId: createLocator(text, 'language') });
const assetByName = (name: string) => ({ ...getAsset(''), assetId: createLocator(name, 'name') });
const deleteByName = (name: string) => ({
	...deleteAsset(''),
	assetId: createLocator(name, 'name'),
});
const inputs = (...values: string[]) => values.map((x) => ({ json: { x } }));

/** The voices of the speeches that were created, sorted. */
const getUsedVoices = () => studio.service.speeches.map(({ voiceId }) => voiceId).sort();

/** The stand-in's voices, two of which have the same name. */
function twoRyans(): Voice[] {
	const [first] = studio.service.voices.filter(({ voiceId }) => voiceId === VOICE);
	return [
		...studio.service.voices,
		{ ...first!, voiceId: 'me-en-US-ryan', languageCode: 'en-US', language: 'English (US)' },
	];
}

test.each([
	['its name in the data', 'ryan'],
	['its name in the list', 'Ryan'],
	['its name in capital letters', ' RYAN '],
	['its name and language code', 'Ryan, en-GB'],
	['its name and language', 'ryan english united kingdom'],
	['its label in the list', 'Ryan · English (United Kingdom) · male · neural'],
	['its label in an error', 'Ryan · English (United Kingdom) · male · neural (au-en-GB-ryan)'],
	['its name, gender and provider', 'male ryan aurora'],
	['its ID', VOICE],
])('I find a voice by %s', async (_what, text) => {
	await studio.run(byName(text));
	expect(getUsedVoices()).toStrictEqual([VOICE]);
});

test.each(['name', 'id'] as const)(
	'A name (by %s) shared by several voices creates nothing, and the error lists their IDs',
	async (mode) => {
		studio.service.voices = twoRyans();
		const voiceId = createLocator('Ryan', mode);
		const error = await getError(studio.run(createSpeech({ voiceId })));
		expect(error.message).toBe('Voice "Ryan" matches 2 voices');
		expect(error.description).toBe(
			'Enter more words, or the ID of one. Matches: Ryan · English (US) · male · neural (me-en-US-ryan); Ryan · English (United Kingdom) · male · neural (au-en-GB-ryan).',
		);
		expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices']);
	},
);

test('A voice without an ID is not found by its name', async () => {
	studio.service.voices = [{ ...twoRyans()[0]!, voiceId: '', name: 'ryan' }];
	const error = await getError(studio.run(byName('Ryan')));
	expect(error.message).toBe('Voice "Ryan" matches no voice');
});

test('A name with a language distinguishes voices that share the name', async () => {
	studio.service.voices = twoRyans();
	await studio.run(byName(X), { items: inputs('Ryan, en-GB', 'Ryan, en-US') });
	expect(getUsedVoices()).toStrictEqual([VOICE, 'me-en-US-ryan']);
});

test('Voices that share a name and speak a language besides another one are not told apart by it', async () => {
	const [one, other] = createVoices(['ryan', ...GB], ['ryan', ...US]);
	one!.languageCodes = ['French (France)'];
	other!.languageCodes = ['Welsh (United Kingdom)', 'French (France)'];
	studio.service.voices = [one!, other!];
	const error = await getError(studio.run(byName('Ryan, French')));
	expect(error.message).toBe('Voice "Ryan, French" matches 2 voices');
});

test('More than five matches are counted, not listed', async () => {
	const [voice] = studio.service.voices;
	studio.service.voices = Array.from({ length: 7 }, (_, index) => ({
		...voice!,
		voiceId: `me-${index}`,
	}));
	const error = await getError(studio.run(byName(voice!.name)));
	expect(error.message).toBe('Voice "salma" matches 7 voices');
	expect(error.description?.match(/ \(me-/g)).toHaveLength(5);
	expect(error.description).toMatch(/; and 2 more\.$/);
});

test.each([
	['Ryan, de-DE', 'Similar: Ryan · English (United Kingdom) · male'],
	['rya eng', 'Similar: Ryan · English (United Kingdom) · male'],
	['en', 'or a language such as "en-GB, female": the mode By ID takes all three'],
	['nobody', 'Voice: Get Many lists the voices.'],
	['Rhyan', 'Similar: Ryan · English (United Kingdom) · male'],
	['!?', 'Enter a voiceId, a name such as "Ryan, en-GB"'],
	['Rian Thomas English', 'Similar: Thomas · English (United Kingdom)'],
])('%j matches no voice, so nothing is created', async (text, words) => {
	const error = await getError(studio.run(byName(text)));
	expect(error.message).toBe(`Voice "${text}" matches no voice`);
	expect(error.description).toContain(words);
	expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices']);
});

test.each([
	['Emma 😊', 'Emma 😢'],
	['Bella ♀', 'Bella ♂'],
	['Emma 👩🏽', 'Emma 👩🏻'],
])('%j does not speak for %j, which is gone', async (name, wanted) => {
	const [voice] = studio.service.voices;
	studio.service.voices = [{ ...voice!, name }];
	const error = await getError(studio.run(byName(wanted)));
	expect(error.message).toBe(`Voice "${wanted}" matches no voice`);
	await studio.run(byName(name.toLowerCase()));
	expect(getUsedVoices()).toHaveLength(1);
});

/** Voices with one name and language each; nothing else distinguishes them. */
function createVoices(...voices: [name: string, languageCode: string, language: string][]) {
	const [stock] = studio.service.voices;
	return voices.map(([name, languageCode, language], index) => ({
		...stock!,
		voiceId: `au-${languageCode}-${index}`,
		name,
		languageCode,
		language,
		languageCodes: [language],
	}));
}

const GB = ['en-GB', 'English (United Kingdom)'] as const;
const US = ['en-US', 'English (United States)'] as const;

test.each<[string, Voice['name'], readonly [string, string]]>([
	['Eric, en-GB', 'erica', GB],
	['Jordan', 'taim', ['ar-JO', 'Arabic (Jordan)']],
	['Anna, fi', 'anna', ['fil-PH', 'Filipino (Philippines)']],
	['Anna, ca', 'anna', ['en-CA', 'English (Canada)']],
	['Anna, el', 'anna', ['es-SV', 'Spanish (El Salvador)']],
	['मुरारी', 'मीरा', ['hi-IN', 'Hindi (India)']],
	['ha', 'ha ha', GB],
	['Ann', 'jo-ann', GB],
	['!!!', '???', GB],
])('%j never brings %s of another name or language', async (text, name, [tag, language]) => {
	studio.service.voices = createVoices([name, tag, language]);
	const error = await getError(studio.run(byName(text)));
	expect(error.message).toBe(`Voice "${text}" matches no voice`);
	expect(getUsedVoices()).toStrictEqual([]);
});

test.each([
	['Jenny, en-US', 'au-en-US-0'],
	['JennyMultilingual', 'au-en-US-1'],
	['Jo-Ann, en-US', 'au-en-US-2'],
	['jo ann english', 'au-en-US-2'],
	['CAFE\u0301', 'au-en-US-3'],
	['cafe, English', 'au-en-US-3'],
	['12', 'au-en-US-4'],
	['Zoe, en-US', 'au-en-US-5'],
	['Zoé, en-US', 'au-en-US-6'],
])('%j is the whole name of one voice', async (text, voiceId) => {
	const names = ['jenny', 'JennyMultilingual', 'jo-ann', 'caf\u00e9', '12', 'zoe', 'zoé'];
	studio.service.voices = createVoices(
		...names.map((name): [string, string, string] => [name, ...US]),
	);
	await studio.run(byName(text));
	expect(getUsedVoices()).toStrictEqual([voiceId]);
});

test('Names that look alike are two candidates, and their providers tell them apart', async () => {
	const [ryan, other] = createVoices(['ryan', ...US], ['Ryan ', ...US]);
	studio.service.voices = [ryan!, { ...other!, provider: 'Meridian' }];
	const error = await getError(studio.run(byName('Ryan')));
	expect(error.message).toBe('Voice "Ryan" matches 2 voices');
	await studio.run(byName('Ryan, Meridian'));
	expect(getUsedVoices()).toStrictEqual([other!.voiceId]);
});

test('A text without accents finds the voice of its language, beside another one without', async () => {
	studio.service.voices = createVoices(['zoe', ...US], ['zoé', 'fr-FR', 'French (France)']);
	await studio.run(byName(X), { items: inputs('Zoe, Français', 'zoe, english') });
	expect(getUsedVoices()).toStrictEqual(['au-en-US-0', 'au-fr-FR-1']);
});

test.each([
	// It has no spaces, so it might be an ID.
	['id', `en${'-abcde-bbcde'.repeat(10_000)}`],
	['name', 'ryan '.repeat(20_000)],
	['language', 'ryan '.repeat(20_000)],
] as const)('By %s, a long text is refused at once', async (mode, text) => {
	const error = await getError(studio.run(createSpeech({ voiceId: createLocator(text, mode) })));
	expect(error.message).toMatch(/^"(ryan|en-abcde).{1,200}…" is too long to search for$/);
	expect(studio.getRoutes()).toStrictEqual([]);
});

test.each([
	['Ryan', VOICE],
	['Ryan, en-GB', VOICE],
	['German (Austria)', 'au-de-AT-ingrid'],
	['tr-TR', 'au-tr-TR-ahmet'],
	['en-GB, male', VOICE],
])('By ID, %j is taken as in the other modes, as dropping a field needs', async (text, voiceId) => {
	await studio.run(createSpeech({ voiceId: createLocator(X) }), { items: inputs(text) });
	expect(getUsedVoices()).toStrictEqual([voiceId]);
});

test.each(['German', 'German, male'])(
	'By ID, %j is the language rather than a name without its accent, as dropping a field needs',
	async (text) => {
		studio.service.voices = createVoices(
			['Germán', 'es-MX', 'Spanish (Mexico)'],
			['Conrad', 'de-DE', 'German (Germany)'],
		).map((voice) => ({ ...voice, gender: 'male' }));
		await studio.run(createSpeech({ voiceId: createLocator(text) }));
		expect(getUsedVoices()).toStrictEqual(['au-de-DE-1']);
	},
);

test.each(['Dan', 'Dan, male', 'female Ben', 'Pol, neural', 'Mar, Aurora', 'Yue, female'])(
	'By ID, %j is a name that no voice has, not the language of which it is a code',
	async (text) => {
		studio.service.voices = createVoices(
			['jeppe', 'da-DK', 'Danish (Denmark)'],
			['tanishaa', 'bn-IN', 'Bengali (India)'],
			['marek', 'pl-PL', 'Polish (Poland)'],
			['manohar', 'mr-IN', 'Marathi (India)'],
			['xiaomin', 'yue-CN', 'Chinese (Cantonese, Simplified)'],
		).flatMap((voice) => [
			{ ...voice, gender: 'male' },
			{ ...voice, gender: 'female', voiceId: `${voice.voiceId}-2` },
		]);
		await getError(studio.run(createSpeech({ voiceId: createLocator(text) })));
		expect(getUsedVoices()).toStrictEqual([]);
	},
);

test.each([
	['Lao, male', 'au-lo-LA-0'],
	['Min Nan Chinese (Taiwan)', 'au-nan-TW-1'],
	['Bosnian (Bosnia and Herzegovina)', 'au-bs-BA-2'],
	['yue-CN', 'au-yue-CN-3'],
])(
	'By ID, a word of three letters may be part of the name of a language (%j)',
	async (text, id) => {
		studio.service.voices = createVoices(
			['keomany', 'lo-LA', 'Lao (Laos)'],
			['taiwan', 'nan-TW', 'Min Nan Chinese (Taiwan)'],
			['goran', 'bs-BA', 'Bosnian (Bosnia and Herzegovina)'],
			['xiaomin', 'yue-CN', 'Chinese (Cantonese, Simplified)'],
		).map((voice) => ({ ...voice, gender: 'male' }));
		await studio.run(createSpeech({ voiceId: createLocator(text) }));
		expect(getUsedVoices()).toStrictEqual([id]);
	},
);

test('By ID, a word that is the ID of a voice is used, and one that no voice has is sent', async () => {
	studio.service.voices[0]!.voiceId = 'Ryan';
	await studio.run(createSpeech({ voiceId: createLocator('Ryan') }));
	expect(getUsedVoices()).toStrictEqual(['Ryan']);
	const error = await getError(studio.run(createSpeech({ voiceId: createLocator('nobody') })));
	expect(error.message).toContain('There is no voice nobody');
});

test.each(['Ryan, female', 'Ryan en-US', 'Ryan,en-US'])(
	'By ID, %j can be no ID, so it is an error that lists similar voices',
	async (text) => {
		const error = await getError(studio.run(createSpeech({ voiceId: createLocator(text) })));
		expect(error.message).toBe(`Voice "${text}" matches no voice`);
		expect(error.description).toContain('Similar: Ryan · English (United Kingdom)');
		expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices']);
	},
);

test('By ID, no name is sent as an ID because the list of voices failed', async () => {
	studio.service.injectFault({ status: 500, when: { path: '/v1/voices' }, times: 1 });
	const error = await getError(studio.run(createSpeech({ voiceId: createLocator('Ryan') })));
	expect(error.message).toContain('(500)');
	expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices']);
});

test('By ID, the service decides if the key may not read voices', async () => {
	studio.service.injectFault({ status: 403, when: { path: '/v1/voices' } });
	const send = async (text: string) =>
		await getError(studio.run(createSpeech({ voiceId: createLocator(text) })));
	expect((await send('Ryan')).message).toContain('There is no voice Ryan');
	expect((await send('Ryan, en-GB')).message).toContain('not allowed');
	expect(studio.getRoutes().filter((route) => route.startsWith('POST'))).toHaveLength(1);
});

test('By Name never brings a voice whose whole name was not given', async () => {
	const words = ['ann', 'Anna', 'jo', 'de', 'german', 'male', 'neural', 'Aurora', 'Jo-Ann', 'मीरा'];
	const word = fc.constantFrom(...words);
	const names = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '));
	const voices = fc.array(fc.tuple(names, fc.constantFrom('de-DE', 'da-DK', 'en-GB')), {
		minLength: 1,
		maxLength: 6,
	});
	const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(', '));
	const split = (name: string) => ` ${name.toLowerCase().replace(/[\s,-]+/g, ' ')} `;
	await fc.assert(
		fc.asyncProperty(
			voices,
			fc.array(text, { minLength: 20, maxLength: 20 }),
			async (list, texts) => {
				studio.service.speeches = [];
				studio.service.voices = createVoices(
					...list.map(([name, tag]): [string, string, string] => [name, tag, `Some (${tag})`]),
				);
				await studio.run(createSpeech({ voiceId: createLocator(X, 'name'), script: X }), {
					items: inputs(...texts),
					settings: { onError: 'continueRegularOutput' },
				});
				for (const { voiceId, script } of studio.service.speeches) {
					const { name } = studio.service.voices.find((voice) => voice.voiceId === voiceId)!;
					expect(split(script)).toContain(split(name));
				}
			},
		),
		{ seed: SEED, numRuns: getCases(20) },
	);
}, 60_000);

test('The order of the list makes no difference', async () => {
	studio.service.voices = [...studio.service.voices].reverse();
	await studio.run(byName(X), { items: inputs('Ryan, en-GB', 'sonia') });
	await studio.run(byLanguage('en-GB'));
	expect(getUsedVoices()).toStrictEqual(['au-en-GB-ryan', 'au-en-GB-sonia', 'me-en-GB-libby']);
});

describe('a list of voices', () => {
	const clock = useClock();

	it('that cannot be read is no reason to say that a video may exist', async () => {
		clock.run(20);
		studio.service.injectFault({ status: 500, when: { path: '/v1/voices' } });
		const error = await getError(
			studio.run(createVideo({ voiceId: createLocator('Ryan', 'name') })),
		);
		expect(getErrorText(error)).toContain('(500)');
		expect(getErrorText(error)).not.toContain('may exist');
		expect(studio.service.videos).toStrictEqual([]);
	});

	it('that one item cannot read, through a dead proxy, fails no other item', async () => {
		clock.run(20);
		const { url } = await findUnusedAddress();
		const requestOptions = { proxy: '={{ $json.proxy }}' };
		const items = [url, ''].map((proxy) => ({ json: { proxy } }));
		const { items: done, errorItems } = await studio.run(
			{ ...byName('Ryan'), requestOptions },
			{ items, settings: { onError: 'continueErrorOutput' } },
		);
		expect(done.map(({ pairedItem }) => pairedItem)).toStrictEqual([{ item: 1 }]);
		expect(errorItems).toHaveLength(1);
	});

	it('that is slow is awaited as long as Timeout allows', async () => {
		studio.service.injectFault({ when: { path: '/v1/voices' }, hang: true });
		const run = studio.run(withTimeout(600_000, byName('Ryan')));
		await studio.service.waitForRequest();
		await clock.pass(500_000);
		expect(studio.getRoutes()).toHaveLength(1);
		clock.run(20_000);
		const error = await getError(run);
		expect(getErrorText(error)).toContain('did not respond in time');
		expect(studio.service.speeches).toStrictEqual([]);
	});
});

test.each([
	['Logo · png', 'a'],
	['logo · png (A)', 'a'],
	['Logo (2) · png', 'b'],
	['Logo (2)', 'b'],
	['Logo  ·  Music · mp3', 'c'],
	['Café · png (d)', 'd'],
	['cafe · png', 'd'],
	['e · png', 'e'],
	['e · png (e)', 'e'],
	['Logo (b)', undefined],
	['Logo · mp3', undefined],
	['Logo (2) · png (a)', undefined],
	['cafè · png', undefined],
])('The label %j stands for the asset %s', (text, id) => {
	const named = { label: 'Asset', idField: 'id', hint: '' };
	const finder = new NameFinder({ ...named, describe: describeAsset });
	const names = { a: 'Logo', b: 'Logo (2)', c: 'Logo · Music', d: 'Café', e: undefined };
	const records = Object.entries(names).map(([it, name]) => ({
		id: it,
		name,
		extension: it === 'c' ? '.mp3' : '.png',
	}));
	expect(finder.findAll(records, text).map((found) => found.id)).toStrictEqual(id ? [id] : []);
});

test.each(['Logo.png', 'Logo (2)', 'Logo · png'])(
	'%j, which is no name, is compared with the label of no asset of which it is no beginning',
	(text) => {
		const described: number[] = [];
		const finder = new NameFinder({
			label: 'Asset',
			idField: 'id',
			hint: '',
			describe: (record) => {
				described.push(Number(record.id));
				return describeAsset(record);
			},
		});
		const records = ['Portrait', 'Log', 'Logo (3)'].map((name, id) => ({ id, name }));
		expect(finder.findAll(records, text)).toEqual([]);
		expect(described).toEqual([]);
	},
);

test('300 names among 20,000 take hardly longer than the first', () => {
	const named = { label: 'Asset', idField: 'id', hint: '' };
	const finder = new NameFinder({ ...named, describe: describeAsset });
	const records = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Portrait ${id}` }));
	const measure = (names: string[]) => {
		const startedAt = performance.now();
		for (const name of names) expect(finder.findAll(records, name)).toHaveLength(1);
		return performance.now() - startedAt;
	};
	const first = measure(['Portrait 7']);
	const all = measure(Array.from({ length: 300 }, (_, index) => `Portrait ${index}`));
	expect(all).toBeLessThan(5 * first + 100);
});

test.each([
	['finds it', () => 'the ID'],
	[
		'fails',
		() => {
			throw new Error('none');
		},
	],
])(
	'A text is compared with a list once, however many items ask for it: it %s',
	async (_how, compare) => {
		const find = jest.fn<string, [object[], string]>(compare);
		const findId = findInList(voiceList, find);
		const createClient = (records: object[]) =>
			({
				identifyRequest: async () => await Promise.resolve('list'),
				settings: {},
				sharedLists: new Map([['["list",{}]', Promise.resolve(records)]]),
			}) as never;
		const client = createClient([]);
		await Promise.allSettled([findId('a', client), findId('a', client)]);
		await Promise.allSettled([findId('a', client), findId('b', client)]);
		await Promise.allSettled([findId('a', createClient([]))]);
		expect(find.mock.calls.map(([, text]) => text)).toStrictEqual(['a', 'b', 'a']);
	},
);

test('Items share one list of voices', async () => {
	const items = Array.from({ length: 20 }, () => ({ json: { x: 'Ryan' } }));
	await studio.run(byName(X), { items });
	expect(studio.service.speeches).toHaveLength(20);
	expect(studio.getRoutes().filter((route) => route === 'GET /v1/voices')).toHaveLength(1);
});

test('Items of different accounts do not share a list', async () => {
	const credentials = { ...studio.credentials, apiKey: '={{ $json.key }}' };
	const items = ['demo-key', 'wrong', 'demo-key'].map((key) => ({ json: { x: 'Ryan', key } }));
	const { json, errorItems } = await studio.run(byName(X), {
		credentials,
		items,
		settings: { onError: 'continueErrorOutput' },
	});
	expect(json).toHaveLength(2);
	expect(errorItems.map(({ json: { httpCode } }) => httpCode)).toStrictEqual([401]);
	expect(studio.getRoutes().filter((route) => route === 'GET /v1/voices')).toHaveLength(2);
	studio.service.requests.length = 0;
});

test.each<[string, Fault]>([
	['could not be read', { status: 403 }],
	['showed no match', { body: { voices: [] } }],
])('Retry On Fail reads the list again if it %s', async (_what, fault) => {
	studio.service.injectFault({ ...fault, when: { path: '/v1/voices' }, times: 1 });
	await studio.run(byName('Ryan'), {
		settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
	expect(getUsedVoices()).toStrictEqual([VOICE]);
});

test('Custom Body overrides a voice by name', async () => {
	await studio.run(
		createVideo({
			voiceId: createLocator('Ryan', 'name'),
			additionalFields: { customBody: { voiceId: 'au-en-GB-sonia' } as never },
		}),
	);
	expect(getApiRequests(studio).at(-1)!.body).toMatchObject({ voiceId: 'au-en-GB-sonia' });
});

describe('an asset', () => {
	const [portrait] = ['Avatar portrait'];

	it.each([portrait, 'avatar PORTRAIT', ' Avatar portrait\n'])('is found by %j', async (name) => {
		const { json } = await studio.run(assetByName(name));
		expect(json[0]).toMatchObject({ name: portrait });
	});

	it('is found by its ID, which stays in the field after a change of mode', async () => {
		const [asset] = studio.service.assets;
		const { json } = await studio.run(assetByName(asset!.id));
		expect(json[0]).toMatchObject({ id: asset!.id });
	});

	it('is never found by part of its name, because it might be deleted', async () => {
		const error = await getError(studio.run(deleteByName('portrait')));
		expect(getErrorText(error)).toContain('Asset "portrait" matches no asset');
		expect(getErrorText(error)).toContain(`Similar: ${portrait} · `);
		expect(studio.getRoutes().every((route) => route === 'GET /v1/assets')).toBe(true);
	});

	it.each([
		['Café', 'Cafe\u0301'],
		['cafe', 'Café'],
		['istanbul', 'İstanbul'],
		['❤', '❤\ufe0f'],
		['Logo', 'Lo\u200bgo\u2060'],
		['Logo', 'Logo\r'],
		['Intro', 'Intro '],
		['Portrait · svg', 'Portrait'],
		['Portrait · svg (7)', 'Portrait'],
		['42', 42],
	])('is found by %j if its name is %j', async (text, name) => {
		studio.service.injectFault({
			when: { path: '/v1/assets' },
			body: { assets: [{ id: 7, name, extension: '.svg' }] },
		});
		studio.service.injectFault({ when: { path: '/v1/assets/7' }, body: { id: 7 } });
		const { json } = await studio.run(assetByName(text));
		studio.service.requests.length = 0;
		expect(json).toStrictEqual([{ id: 7 }]);
	});

	it.each([
		['Résumé', ['Resume', 'Résumé'], 'Résumé'],
		['RE\u0301SUME\u0301', ['Resume', 'Résumé'], 'Résumé'],
		['resume', ['Résumé', 'Resume'], 'Resume'],
		['Résumé · svg', ['Resume', 'Résumé'], 'Résumé'],
	])(
		'is found by %j among %j: a text that names one exactly is that one',
		async (text, names, name) => {
			studio.service.assets = names.map((each) => ({
				id: createUuid(each),
				name: each,
				extension: '.svg',
			}));
			const { json } = await studio.run(assetByName(text));
			expect(json).toMatchObject([{ name }]);
		},
	);

	const listed = (...assets: object[]) =>
		studio.service.injectFault({ when: { path: '/v1/assets' }, body: { assets } });

	it.each([
		['Bán', 'Bạn'],
		['Resumé', 'Résumé'],
		['мой', 'мои'],
		['Мои', 'Мой'],
		['и', 'й'],
		['е', 'ё'],
		['і', 'ї'],
		['Café · svg', 'Cafe'],
	])(
		'is not found by %j if its name is %j: a text may leave accents out, not change them or letters',
		async (text, name) => {
			listed({ id: 7, name, extension: '.svg' });
			const error = await getError(studio.run(deleteByName(text)));
			expect(error.message).toBe(`Asset "${text}" matches no asset`);
		},
	);

	it.each([
		['without a name by a text that nobody sees', '\u200b\u2060', {}, 'Asset is empty'],
		['whose ID is the name of another one', '1', { name: 'Logo' }, 'Asset "1" matches 2 assets'],
		['that shares its name', 'B', { name: 'b' }, 'Asset "B" matches 2 assets'],
	])('is not found %s', async (_what, text, asset, message) => {
		listed({ id: '1', ...asset }, { id: '2', name: '1' }, { id: '3', name: 'B' });
		const error = await getError(studio.run(assetByName(text)));
		expect(error.message).toContain(message);
	});

	it.each(['.', '..'])('that is listed with the ID "%s" is never deleted by name', async (id) => {
		listed({ id, name: 'Portrait' });
		const error = await getError(studio.run(deleteByName('Portrait')));
		expect(getErrorText(error)).toContain('The ID of this record cannot be part of a URL');
		expect(studio.getRoutes().filter((route) => !route.startsWith('GET'))).toStrictEqual([]);
	});
});

// The letters of these flags are invisible characters (UTS 51, emoji tag sequences).
const FLAG = (region: string) =>
	`\u{1f3f4}${[...region].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{e007f}`;

test('Another flag is another name', async () => {
	const id = '00000000-0000-4000-8000-000000000001';
	studio.service.assets = [{ id, name: `Banner ${FLAG('gbsct')}`, extension: '.png' }];
	const assetId = createLocator(`Banner ${FLAG('gbeng')}`, 'name');
	await studio.run(deleteAsset('', { assetId })).catch(() => undefined);
	expect(studio.service.assets).toHaveLength(1);
});

/** A Spanish voice with this name, and of the German voices only women. */
function setVoices(name: string) {
	const [first] = studio.service.voices;
	const spanish = {
		...first!,
		id: 'id of a voice',
		voiceId: 'au-es-AR-german',
		name,
		gender: 'male',
		language: 'Spanish (Argentina)',
		languageCode: 'es-AR',
		languageCodes: ['Spanish (Argentina)'],
		languageCodesJson: '["Spanish (Argentina)"]',
	} as typeof first;
	const others = studio.service.voices.filter(
		({ languageCode, gender }) => !languageCode.startsWith('de') || gender === 'female',
	);
	studio.service.voices = [...others, spanish!];
}

// A field that is dropped onto Voice, or an agent, comes in this mode.
test.each([
	['german', 'German'],
	['german', 'German, male'],
	['germán', 'German, male'],
])('A voice named "%s" does not speak German where %j is wanted, by ID', async (name, text) => {
	setVoices(name);
	await studio.run(createSpeech({ voiceId: createLocator(text) })).catch(() => undefined);
	const spoken = studio.service.speeches.map(({ voiceId }) => voiceId);
	expect(spoken).not.toContain('au-es-AR-german');
});

test('A list of names that is not found is a wrong address, not a wrong ID', async () => {
	studio.service.injectFault({ status: 404 });
	const assetId = createLocator('Portrait', 'name');
	const error = await getError(studio.run(deleteAsset('', { assetId })));
	expect(error.message).toContain('The service found nothing at this address');
});
