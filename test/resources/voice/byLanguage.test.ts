import { createVoiceFilter } from '../../../nodes/AvatarStudio/resources/voice/voiceFilters';
import { createLanguageError } from '../../../nodes/AvatarStudio/resources/voice/voiceLanguage';
import type { Voice } from '../../../service/service';
import { createLocator, createSpeech, getVoices } from '../../support/parameters';
import { useStudio } from '../../support/studio';

import { locales } from './locales';

const studio = useStudio();

type Spoken = readonly [languageCode: string, language: string, name: string];

/** Makes the service offer one voice for each language, by a name that is its ID as well. */
function useVoices(spoken: readonly Spoken[], more: Partial<Voice> = {}): Voice[] {
	const [stock] = studio.service.voices;
	return (studio.service.voices = spoken.map(([languageCode, language, name]) => ({
		...stock!,
		...{ voiceId: name, name, languageCode, language, languageCodes: [language], ...more },
	})));
}

/** Does so for these locales, in reverse order. */
const useLocales = (tags: string[]) =>
	useVoices(
		locales
			.filter(([tag]) => tags.includes(tag))
			.reverse()
			.map(([tag, language]) => [tag, language, `voice-${tag}`]),
	);

/** @returns the tags of the voices that were used, by the text that asked for them */
async function speakIn(texts: string[]): Promise<Map<string, string>> {
	studio.service.requests.length = 0;
	studio.service.speeches = [];
	const { run } = await studio.run(
		createSpeech({
			voiceId: createLocator('={{ $json.text }}', 'language'),
			script: '={{ $json.text }}',
		}),
		{
			items: texts.map((text) => ({ json: { text } })),
			settings: { onError: 'continueRegularOutput' },
		},
	);
	expect(run.status).toBe('success');
	return new Map(
		studio.service.speeches.map(({ script, voiceId }) => [script, voiceId.replace('voice-', '')]),
	);
}

const getSubtag = (tag: string) => tag.split('-')[0]!;

/** Every spelling of a locale, with the tag of the voice that speaks it: of the likely region, or the first. */
function spell([tag, name, ownName]: (typeof locales)[number], present: string[]) {
	const exact = present.includes(tag) ? tag : undefined;
	const { language, region } = new Intl.Locale(getSubtag(tag)).maximize();
	const first =
		[`${language}-${region}`, `${language}-TW`].find((likely) => present.includes(likely)) ??
		present.find((other) => getSubtag(other) === getSubtag(tag));
	return [
		[tag, exact],
		[tag.toLowerCase(), exact],
		[` ${tag.replace('-', '_')} `, exact],
		[name, exact],
		[getSubtag(tag), first],
		[ownName, first],
	] as const;
}

describe('of the 99 locales of a large provider, in every spelling', () => {
	const allTags = locales.map(([tag]) => tag);

	it('each brings its own voice', async () => {
		useLocales(allTags);
		const spellings = locales.flatMap((locale) => spell(locale, allTags));
		const used = await speakIn([...new Set(spellings.map(([text]) => text))]);
		expect(spellings.filter(([text, tag]) => used.get(text) !== tag)).toStrictEqual([]);
	}, 60_000);

	it.each([
		['Chinese (Simplified)', 'zh-CN'],
		['Traditional Chinese', 'zh-TW'],
		['UK English', 'en-GB'],
		['US English', 'en-US'],
		['Bengali', 'bn-BD'],
	])('%s brings %s', async (text, tag) => {
		useLocales(allTags);
		expect(await speakIn([text])).toStrictEqual(new Map([[text, tag]]));
	});

	it.each(['de_DE_formal', 'en_US.UTF-8', 'Traditional', 'English (Latin)', 'de-DE-Katja'])(
		'%s brings none',
		async (text) => {
			useLocales(allTags);
			expect(await speakIn([text])).toStrictEqual(new Map());
		},
	);

	it.each([0, 1, 2, 3, 4])(
		'each that is missing brings no other voice (%i)',
		async (remainder) => {
			const present = allTags.filter((_, index) => index % 5 !== remainder);
			useLocales(present);
			const missing = locales.filter(([tag]) => !present.includes(tag));
			const spellings = missing.flatMap((locale) => spell(locale, present));
			const used = await speakIn([...new Set(spellings.map(([text]) => text))]);
			expect(spellings.filter(([text, tag]) => used.get(text) !== tag)).toStrictEqual([]);
		},
		60_000,
	);
});

const speak = async (language: string) => {
	const { error } = await studio.getOutcome(
		createSpeech({ voiceId: createLocator(language, 'language') }),
	);
	return error ?? studio.service.speeches.at(-1)?.voiceId;
};

test.each([
	['en-GB, female', 'me-en-GB-libby'],
	['female en-GB', 'me-en-GB-libby'],
	['en-GB, male', 'au-en-GB-ryan'],
	['en-GB, Cadence', 'ca-en-GB-george'],
	['English (UK), Aurora, female, neural', 'au-en-GB-sonia'],
	['Norwegian', 'au-nb-NO-finn'],
	['no', 'au-nb-NO-finn'],
	['no-NO', 'au-nb-NO-finn'],
	['British English, male', 'au-en-GB-ryan'],
	['American English', 'me-en-US-aria'],
	['cmn-CN', 'au-zh-CN-xiaoxiao'],
	['deu', 'me-de-DE-amala'],
])('By Language, %j brings %s', async (text, voiceId) => {
	studio.service.voices = studio.service.voices.filter(
		({ languageCode }) => languageCode !== 'de-AT',
	);
	expect(await speak(text)).toBe(voiceId);
});

test.each([
	['de-CH', 'No voice speaks the language "de-CH"', 'There is de-AT; de-DE.'],
	['German (Belgium)', 'No voice speaks the language "German (Belgium)"', 'There is de-AT; de-DE.'],
	['???', 'No voice speaks the language "???"', 'Enter a language such as ar-EG; cs-CZ;'],
	['Germ', 'No voice speaks the language "Germ"', 'Enter a language such as ar-EG; cs-CZ;'],
	['female', 'No voice speaks the language "female"', 'Enter a language such as ar-EG; cs-CZ;'],
	['🇬🇧 English', 'No voice speaks the language "🇬🇧 English"', 'There is en-'],
	['British', 'No voice speaks the language "British"', 'Enter a language such as ar-EG; cs-CZ;'],
	['Jordan', 'No voice speaks the language "Jordan"', 'Enter a language such as ar-EG; cs-CZ;'],
	[
		'fi-FI, Cadence',
		'No voice matches "fi-FI, Cadence"',
		'Voices with this language: Noora · Finnish',
	],
])('By Language, %j is an error that lists what there is', async (text, message, hint) => {
	expect(await speak(text)).toMatchObject({
		message,
		description: expect.stringContaining(hint) as string,
	});
	expect(studio.service.speeches).toStrictEqual([]);
});

test.each([
	['fr-FR', 'French (France)'],
	['French', 'fr-FR'],
	['French (France)', 'fr-FR'],
	['fr', 'French (France)'],
])(
	'A voice speaks its further languages after those whose main one it is (%s, %s)',
	async (text, further) => {
		const [ava] = useVoices([
			['en-US', 'English (United States)', 'ava'],
			['fr-FR', 'French (France)', 'paul'],
		]);
		ava!.languageCodes = ['English (United States)', further];
		expect(await speak(text)).toBe('paul');
		studio.service.voices = [ava!];
		expect(await speak(text)).toBe('ava');
		expect(await speak('fr-CA')).toMatchObject({ message: expect.any(String) as string });
	},
);

test('By Language, one without neural voices selects its first voice by name', async () => {
	studio.service.voices = studio.service.voices.filter(({ isNeural }) => !isNeural);
	expect(await speak('en-GB')).toBe('ca-en-GB-george');
});

test('If no voice has a language, the error suggests none', async () => {
	studio.service.voices = [];
	expect(await speak('en')).toMatchObject({ description: 'Voice: Get Many lists the languages.' });
});

test('A name with a line break does not change the ID that is sent', async () => {
	const [stock] = studio.service.voices;
	studio.service.voices = [{ ...stock!, name: 'a\nb' }];
	expect(await speak('ar-EG')).toBe(stock!.voiceId);
});

/** Voices of languages as large providers offer them. */
const REGIONS: Spoken[] = [
	['zh-HK', 'Chinese (Cantonese, Traditional)', 'hiugaai'],
	['zh-CN', 'Chinese (Mandarin, Simplified)', 'yunyang'],
	['zh-TW', 'Chinese (Taiwanese Mandarin)', 'hsiaochen'],
	['wuu-CN', 'Chinese (Wu, Simplified)', 'anxiaotong'],
	['yue-CN', 'Chinese (Cantonese, Simplified)', 'anxiaomin'],
	['pt-PT', 'Portuguese (Portugal)', 'duarte'],
	['pt-BR', 'Portuguese (Brazil)', 'francisca'],
	['en-AU', 'English (Australia)', 'annette'],
	['en-GB', 'English (United Kingdom)', 'bella'],
	['en-US', 'English (United States)', 'jenny'],
	['es-AR', 'Spanish (Argentina)', 'elena'],
	['es-ES', 'Spanish (Spain)', 'elvira'],
	['uz-UZ', 'Uzbek (Uzbekistan)', 'madina'],
	['az-AZ', 'Azerbaijani (Azerbaijan)', 'babek'],
	['bs-BA', 'Bosnian (Bosnia and Herzegovina)', 'goran'],
	['pa-IN', 'Punjabi (India)', 'ojas'],
	['sr-RS', 'Serbian (Cyrillic, Serbia)', 'sophie'],
	['sr-Latn-RS', 'Serbian (Latin, Serbia)', 'nicholas'],
];

test.each([
	['zh', 'yunyang'],
	['Chinese', 'yunyang'],
	['中文', 'yunyang'],
	['pt', 'francisca'],
	['Portuguese', 'francisca'],
	['en', 'jenny'],
	['es', 'elvira'],
	['zh-Hans', 'yunyang'],
	['zh-Hans-CN', 'yunyang'],
	['zh_Hant', 'hsiaochen'],
	['zh-Hant-TW', 'hsiaochen'],
	['zh-Hant-HK', 'hiugaai'],
	['yue', 'anxiaomin'],
	['uz-Latn-UZ', 'madina'],
	['az-Latn-AZ', 'babek'],
	['bs-Latn-BA', 'goran'],
	['pa-Guru-IN', 'ojas'],
	['sr-Cyrl-RS', 'sophie'],
	['sr-Latn', 'nicholas'],
	['es-419', 'elena'],
	['en-UK', 'bella'],
])('The likely region of %j comes first: %s', async (text, voiceId) => {
	useVoices(REGIONS);
	expect(await speak(text)).toBe(voiceId);
	const { json } = await studio.run(getVoices({ query: text }));
	expect(json.map((voice) => voice.voiceId)).toContain(voiceId);
});

test.each([
	...['zh-Hans-TW', 'zh-MO', 'es-MX', 'uz-Cyrl', 'az-Arab', 'pa-Arab-PK', 'sr-ME', 'ug', 'und'],
	...['sr_RS@latin', 'uz_UZ@cyrillic', 'Portuguese und Spanish'],
])('%s is the language of none of them', async (text) => {
	useVoices(REGIONS);
	expect(await speak(text)).toMatchObject({
		message: `No voice speaks the language "${text}"`,
	});
});

test('A voice without a language leaves the others as they are', async () => {
	useVoices([...REGIONS, ['und', 'Multilingual', 'omni'], ['und-US', '', 'nemo']]);
	expect(await speak('pt-BR')).toBe('francisca');
	expect(await speak('Multilingual')).toBe('omni');
	const search = async (query: string) =>
		(await studio.run(getVoices({ query }))).json.map(({ voiceId }) => voiceId);
	expect(await search('babek')).toStrictEqual(['babek']);
	expect(await search('und')).toStrictEqual(['omni', 'nemo']);
});

test('A region stands for its usual script', async () => {
	useVoices(REGIONS);
	const { json } = await studio.run(getVoices({ filters: { languageCode: 'sr-RS' } }));
	expect(json.map(({ voiceId }) => voiceId)).toStrictEqual(['sophie']);
});

test.each(['Min Nan', 'min nan, male', 'Min Nan Chinese (Taiwan)', 'nan-TW'])(
	'By Language, the name of a language may consist of short words only (%s)',
	async (text) => {
		const languages: Spoken[] = [
			['min-ID', 'Minangkabau', 'minang'],
			['nan-TW', 'Min Nan Chinese (Taiwan)', 'taiwan'],
		];
		useVoices(languages, { gender: 'male', languageCodes: [] });
		expect(await speak(text)).toBe('taiwan');
	},
);

test.each(['zh-CN', 'zh', 'Chinese'])(
	'By Language, a voice comes before one of a dialect (%s)',
	async (text) => {
		useVoices([
			['zh-CN-liaoning', 'Chinese (Northeastern Mandarin, Simplified)', 'xiaobei'],
			['zh-CN', 'Chinese (Mandarin, Simplified)', 'yunyang'],
		]);
		expect(await speak(text)).toBe('yunyang');
		expect(await speak('zh-CN-liaoning')).toBe('xiaobei');
		expect(await speak('zh_CN_liaoning')).toBe('xiaobei');
	},
);

// As Amazon Polly calls its languages.
test('By Language, what the list calls just that comes first', async () => {
	useVoices([
		['pt-BR', 'Brazilian Portuguese', 'camila'],
		['pt-PT', 'Portuguese', 'ines'],
	]);
	expect(await speak('Portuguese')).toBe('ines');
	expect(await speak('pt')).toBe('camila');

	const english = ['en-IN', 'en-AU', 'en-US'].map((tag) => [tag, 'English', tag] as const);
	useVoices(english);
	expect(await speak('English')).toBe('en-US');
});

test('The names of languages are looked up once, however many voices and items are compared', () => {
	const voices = useLocales(locales.map(([tag]) => tag));
	const { DisplayNames } = Intl;
	const lookUps = jest
		.spyOn(Intl, 'DisplayNames')
		.mockImplementation((...of) => new DisplayNames(...of));
	voices.filter(createVoiceFilter({ languageCode: 'de-LU' }));
	const ofFilter = lookUps.mock.calls.filter(([tag]) => tag === 'de-LU').length;
	const errors = Array.from({ length: 20 }, () => createLanguageError(voices, 'de-LU'));
	const ofAll = lookUps.mock.calls.length;
	lookUps.mockRestore();

	expect(errors[0]!.hint).toMatch(/^There is de-/);
	expect(ofFilter).toBeLessThanOrEqual(1);
	expect(ofAll).toBeLessThan(3 * voices.length);
});

const MANDARIN = ['zh-CN', 'Chinese (Mandarin, Simplified)', 'yunxi'] as const;
const CANTONESE = ['yue-CN', 'Chinese (Cantonese, Simplified)', 'xiaomin'] as const;
const WU = ['wuu-CN', 'Chinese (Wu, Simplified)', 'xiaotong'] as const;
const NYNORSK = ['nn-NO', 'Norwegian Nynorsk (Norway)', 'ane'] as const;

// A voice lists its own language once more, by its name.
test.each<[text: string, spoken: Spoken]>([
	['zh', CANTONESE],
	['no', NYNORSK],
	['ku', ['ckb-IQ', 'Kurdish Sorani (Iraq)', 'kani']],
	['Chinese', CANTONESE],
	['Norwegian', NYNORSK],
])('%j brings no voice of another language that is called by it too', async (text, spoken) => {
	useVoices([spoken]);
	expect(await speak(text)).toMatchObject({
		message: `No voice speaks the language "${text}"`,
	});
	const { items } = await studio.getOutcome(getVoices({ filters: { languageCode: text } }));
	expect(items).toEqual([]);
});

test.each(['zh, female', 'Chinese, female'])(
	'%j brings no voice of another language, if only that one is female',
	async (text) => {
		const [mandarin, ...others] = useVoices([MANDARIN, CANTONESE, WU], { gender: 'female' });
		studio.service.voices = [{ ...mandarin!, gender: 'male' }, ...others];
		expect(await speak(text)).toMatchObject({ message: `No voice matches "${text}"` });
	},
);

test.each([
	...['no', 'Norwegian', 'Norsk', 'Norwegian Bokmål', 'norsk bokmål'].map((text) => [text, 'finn']),
	...['nn', 'Norwegian Nynorsk', 'norsk nynorsk'].map((text) => [text, 'ane']),
])('Most Norwegian is Bokmål: %j brings %s', async (text, voiceId) => {
	useVoices([NYNORSK, ['nb-NO', 'Norwegian Bokmål (Norway)', 'finn']]);
	expect(await speak(text)).toBe(voiceId);
});

test('A voice speaks a further language of which the service says only the name, and no longer one', async () => {
	const [ava] = useVoices([['en-US', 'English (United States)', 'ava']]);
	ava!.languageCodes = ['Norwegian Nynorsk (Norway)', 'Chinese (Mandarin, Simplified)'];
	expect(await speak('zh')).toBe('ava');
	expect(await speak('nn')).toBe('ava');
	expect(await speak('no')).toMatchObject({ message: 'No voice speaks the language "no"' });
});
