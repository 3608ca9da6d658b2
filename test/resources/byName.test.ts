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
} from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();

const X = '={{ $json.x }}';
const byName = (text: string) => createSpeech({ voiceId: createLocator(text, 'name') });
const byId = (text: string) => createSpeech({ voiceId: createLocator(text) });
const assetByName = (name: string) => ({ ...getAsset(''), assetId: createLocator(name, 'name') });
const deleteByName = (name: string) => ({
	...deleteAsset(''),
	assetId: createLocator(name, 'name'),
});
const inputs = (...values: string[]) => values.map((x) => ({ json: { x } }));

/** The voices of the speeches that were created, sorted. */
const getUsedVoices = () => studio.service.speeches.map(({ voiceId }) => voiceId).sort();

/** Makes the service offer voices with nothing but a name and a language, with the IDs 0-a, 1-a … */
function useVoices(...voices: [name: string, languageCode: string, language?: string][]): Voice[] {
	const [stock] = studio.service.voices;
	return (studio.service.voices = voices.map(([name, languageCode, language = ''], index) => ({
		...stock!,
		...{ voiceId: `${index}-a`, name, gender: 'male', languageCode, language, languageCodes: [] },
	})));
}

test.each([
	['its name', 'ryan'],
	['its name in another case, with blanks', ' RYAN '],
	['its name and language code', 'Ryan, en-GB'],
	['its name and language', 'ryan,english (united kingdom)'],
	['its name, gender and provider', 'Ryan, male, neural, Aurora'],
	['its ID', VOICE],
])('I find a voice by %s', async (_what, text) => {
	await studio.run(byName(text));
	expect(getUsedVoices()).toStrictEqual([VOICE]);
});

test.each([
	['zoe', 'Zoë (en-GB)', '0-a'],
	['ZOE\u0308', 'Zoë (en-GB)', '0-a'],
	['Zoe', 'Zoë (en-GB) | Zoe (en-GB)', '1-a'],
	['Zoe, Français', 'Zoe (en-GB) | Zoë (fr-FR)', '1-a'],
	['Bán', 'Bạn (vi-VN)', undefined],
	['ليلى', 'ليلى (ar-EG)', '0-a'],
	['晓晓', '晓晓 (zh-CN) | 晓 (zh-CN)', '0-a'],
	['МИЛА', 'Мила (ru-RU)', '0-a'],
	['мой', 'мои (ru-RU)', undefined],
	['emma 😊', 'Emma 😊 (en-GB) | Emma 😢 (en-GB)', '0-a'],
	['Emma 👩🏽', 'Emma 👩🏻 (en-GB)', undefined],
	['Anna, de', 'Anna (de-DE) | Anna (sv-SE)', '0-a'],
	['Anna, Swedish', 'Anna (de-DE) | Anna (sv-SE)', '1-a'],
	['Smith, John, en-GB', 'Smith, John (en-GB) | Smith (en-GB)', '0-a'],
	['Ann', 'Anna (en-GB) | Jo-Ann (en-GB)', undefined],
	['Anna, fi', 'Anna (fil-PH)', undefined],
	['12', '12 (en-GB)', '0-a'],
	['!?', '??? (en-GB)', undefined],
])('%j among %s is %s', async (text, voices, voiceId) => {
	const offered = voices.split(' | ').map((voice) => /^(.+) \((.+)\)$/.exec(voice)!);
	useVoices(...offered.map(([, name, tag]): [string, string] => [name!, tag!]));
	const { error } = await studio.getOutcome(byName(text));
	expect(getUsedVoices()).toStrictEqual(voiceId === undefined ? [] : [voiceId]);
	expect(error?.message.includes('matches no voice') ?? false).toBe(voiceId === undefined);
});

test.each(['name', 'id'] as const)(
	'A name (by %s) of several voices creates nothing, and the error lists their IDs',
	async (mode) => {
		useVoices(...Array.from({ length: 7 }, (): [string, string] => ['ryan', 'en-GB']));
		const voiceId = createLocator('Ryan', mode);
		const error = await getError(studio.run(createSpeech({ voiceId })));
		expect(error.message).toBe('Voice "Ryan" matches 7 voices');
		expect(error.description).toMatch(
			/^Enter the ID of one\. Matches: Ryan · en-GB · male · .*0-a/,
		);
		expect(error.description?.match(/-a\)/g)).toHaveLength(5);
		expect(error.description).toMatch(/; and 2 more\.$/);
		expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices']);
	},
);

test.each([
	['Ryan, de-DE', 'Similar: Ryan · English (United Kingdom) · male'],
	['rya', 'Similar: Ryan · English (United Kingdom) · male'],
	['en', 'or a language such as "en-GB, female": the mode By ID takes all three'],
	['nobody', 'Voice: Get Many lists the voices.'],
])('%j matches no voice, so nothing is created', async (text, words) => {
	const error = await getError(studio.run(byName(text)));
	expect(error.message).toBe(`Voice "${text}" matches no voice`);
	expect(error.description).toContain(words);
	expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices']);
});

test.each([
	['id', 'x'.repeat(100_000)],
	['name', 'ryan '.repeat(20_000)],
	['language', 'ryan '.repeat(20_000)],
] as const)('By %s, a long text is refused at once', async (mode, text) => {
	const error = await getError(studio.run(createSpeech({ voiceId: createLocator(text, mode) })));
	expect(error.message).toMatch(/^"(ryan|xxx).{1,200}…" is too long to search for$/);
	expect(studio.getRoutes()).toStrictEqual([]);
});

test.each(['name', 'id', 'language'] as const)(
	'By %s, each of 500 rows gets its voice among 3,000',
	async (mode) => {
		const tags = ['de-DE', 'en-GB', 'fr-FR', 'zh-CN', 'ar-EG', 'ru-RU', 'sv-SE', 'pt-BR'];
		const tagOf = (index: number) => tags[index % tags.length]!;
		const voices = Array.from({ length: 3_000 }, (_, index) => `Voice ${1_000 + index}`);
		useVoices(...voices.map((name, index): [string, string] => [name, tagOf(index)]));
		const rows = voices.slice(0, 500).map((name, index) => `${name}, ${tagOf(index)}`);
		const texts = mode === 'language' ? rows.map((_, index) => tagOf(index)) : rows;
		const options = { dryRun: true };
		const { json } = await studio.run(createSpeech({ voiceId: createLocator(X, mode), options }), {
			items: inputs(...texts),
		});
		const sent = json.map(({ request }) => (request as { body: object }).body);
		const first = (index: number) => (mode === 'language' ? index % tags.length : index);
		expect(sent).toMatchObject(rows.map((_, index) => ({ voiceId: `${first(index)}-a` })));
	},
);

describe('By ID', () => {
	it.each([
		['Ryan', VOICE],
		['Ryan, en-GB', VOICE],
		['German (Austria)', 'au-de-AT-ingrid'],
		['tr-TR', 'au-tr-TR-ahmet'],
		['en-GB, male', VOICE],
	])('%j is taken as in the other modes, as dropping a field needs', async (text, voiceId) => {
		await studio.run(byId(X), { items: inputs(text) });
		expect(getUsedVoices()).toStrictEqual([voiceId]);
	});

	it.each(['a1', 'au-en-XX', '4e1b'])('%j is sent without asking', async (text) => {
		const error = await getError(studio.run(byId(text)));
		expect(error.message).toContain(`There is no voice ${text}`);
		expect(studio.getRoutes()).toStrictEqual(['POST /v1/speech']);
	});

	it.each(['Deutsch', 'es-419'])('%j is a language', async (text) => {
		useVoices(['conrad', 'de-DE'], ['elena', 'es-AR']);
		await studio.run(byId(text));
		expect(getUsedVoices()).toStrictEqual([text === 'Deutsch' ? '0-a' : '1-a']);
	});

	it.each(['german', 'Germán'])('"German" is an error beside a voice "%s"', async (name) => {
		useVoices([name, 'es-MX'], ['conrad', 'de-DE']);
		const error = await getError(studio.run(byId('German')));
		expect(error.message).toBe('Voice "German" matches 2 voices');
		expect(error.description).toMatch(/0-a.*1-a/);
		expect(getUsedVoices()).toStrictEqual([]);
	});

	it.each(['Dan', 'Dan, male', 'Ben', 'Pol', 'Mar'])(
		'%j is a name that no voice has, not the language of which it is a code',
		async (text) => {
			useVoices(['a', 'da-DK'], ['b', 'bn-IN'], ['c', 'pl-PL'], ['d', 'mr-IN']);
			await getError(studio.run(byId(text)));
			expect(getUsedVoices()).toStrictEqual([]);
		},
	);

	it('the ID of a voice comes before its language, and what no voice has is sent', async () => {
		useVoices(['a', 'de-DE'], ['b', 'de-DE'])[1]!.voiceId = 'de';
		await studio.run(byId('de'));
		expect(getUsedVoices()).toStrictEqual(['de']);
		const error = await getError(studio.run(byId('nobody')));
		expect(error.message).toContain('There is no voice nobody');
	});

	it('"Ryan, female" can be no ID, so it is an error that lists similar voices', async () => {
		const error = await getError(studio.run(byId('Ryan, female')));
		expect(error.message).toBe('Voice "Ryan, female" matches no voice');
		expect(error.description).toContain('Similar: Ryan · English (United Kingdom)');
		expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices']);
	});

	it('no name is sent as an ID because the list of voices failed', async () => {
		studio.service.injectFault({ status: 500, when: { path: '/v1/voices' }, times: 1 });
		const error = await getError(studio.run(byId('Ryan')));
		expect(error.message).toContain('(500)');
		expect(studio.getRoutes()).toStrictEqual(['GET /v1/voices']);
	});

	it('the service decides if the key may not read voices', async () => {
		studio.service.injectFault({ status: 403, when: { path: '/v1/voices' } });
		const send = async (text: string) => await getError(studio.run(byId(text)));
		expect((await send('Ryan')).message).toContain('There is no voice Ryan');
		expect((await send('Ryan, en-GB')).message).toContain('not allowed');
		expect(studio.getRoutes().filter((route) => route.startsWith('POST'))).toHaveLength(1);
	});
});

describe('a list of voices', () => {
	const clock = useClock();

	it('that cannot be read is no reason to say that a video may exist', async () => {
		clock.run();
		studio.service.injectFault({ status: 500, when: { path: '/v1/voices' } });
		const error = await getError(
			studio.run(createVideo({ voiceId: createLocator('Ryan', 'name') })),
		);
		expect(getErrorText(error)).toContain('(500)');
		expect(getErrorText(error)).not.toContain('may exist');
		expect(studio.service.videos).toStrictEqual([]);
	});
});

test('Items share one list of voices', async () => {
	await studio.run(byName(X), { items: inputs(...Array<string>(20).fill('Ryan')) });
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

describe('an asset', () => {
	it.each<[text: string, names: (string | number)[], name: string | number]>([
		['avatar PORTRAIT', ['Avatar portrait'], 'Avatar portrait'],
		[' Avatar portrait\n', ['Avatar portrait'], 'Avatar portrait'],
		['cafe', ['Café'], 'Café'],
		['Café', ['Cafe\u0301'], 'Cafe\u0301'],
		['istanbul', ['İstanbul'], 'İstanbul'],
		['❤', ['❤\ufe0f'], '❤\ufe0f'],
		['Logo', ['Lo\u200bgo\u2060'], 'Lo\u200bgo\u2060'],
		['42', [42], 42],
		['Résumé', ['Resume', 'Résumé'], 'Résumé'],
		['resume', ['Résumé', 'Resume'], 'Resume'],
		[createUuid('a'), ['a', createUuid('a')], 'a'],
	])('is found by %j among %j', async (text, names, name) => {
		studio.service.assets = names.map((each) => ({
			id: createUuid(String(each)),
			name: each as string,
			extension: '.svg',
		}));
		const { json } = await studio.run(assetByName(text));
		expect(json).toMatchObject([{ name }]);
	});

	it.each([
		['portrait', 'Avatar portrait'],
		['Bán', 'Bạn'],
		['Resumé', 'Résumé'],
		['Мои', 'Мой'],
		// The letters of these flags are invisible characters (UTS 51, emoji tag sequences).
		['\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}', '\u{1f3f4}\u{e0066}\u{e0072}\u{e007f}'],
	])('is never deleted by %j if its name is %j', async (text, name) => {
		const body = { assets: [{ id: 7, name, extension: '.svg' }] };
		studio.service.injectFault({ when: { path: '/v1/assets' }, body });
		const error = await getError(studio.run(deleteByName(text)));
		expect(error.message).toContain('matches no asset');
		expect(studio.getRoutes().every((route) => route === 'GET /v1/assets')).toBe(true);
	});

	it.each([
		['whose name nobody sees, by such a text', '\u200b\u2060', 'Asset is empty'],
		['that shares its name', 'B', 'Asset "B" matches 2 assets'],
		['by part of its name', 'og', 'Asset "og" matches no asset'],
	])('is not found %s', async (_what, text, message) => {
		const names = ['\u200b', 'Logo', 'b', 'B'];
		const body = { assets: names.map((name, id) => ({ id, name })) };
		studio.service.injectFault({ when: { path: '/v1/assets' }, body });
		expect((await getError(studio.run(assetByName(text)))).message).toContain(message);
	});

	it.each(['.', '..'])('that is listed with the ID "%s" is never deleted by name', async (id) => {
		studio.service.injectFault({ body: { assets: [{ id, name: 'Portrait' }] } });
		const error = await getError(studio.run(deleteByName('Portrait')));
		expect(getErrorText(error)).toContain('The ID of this record cannot be part of a URL');
		expect(studio.getRoutes().filter((route) => !route.startsWith('GET'))).toStrictEqual([]);
	});
});
