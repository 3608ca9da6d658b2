import {
	createLanguageError,
	createVoiceFilter,
} from '../../../nodes/AvatarStudio/resources/voice/voiceFilters';
import type { Voice } from '../../../service/service';
import { getError } from '../../support/engine/engine';
import { createLocator, createSpeech, getVoices } from '../../support/parameters';
import { useStudio } from '../../support/studio';

import { locales } from './locales';

const studio = useStudio();

/** One voice for each locale, in reverse order, and named by its tag. */
function createVoices(tags: string[]): Voice[] {
	const [stock] = studio.service.voices;
	return locales
		.filter(([tag]) => tags.includes(tag))
		.reverse()
		.map(([tag, language]) => ({
			...stock!,
			voiceId: `au-${tag}-voice`,
			name: `voice ${tag}`,
			language,
			languageCode: tag,
			languageCodes: [language],
		}));
}

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
		studio.service.speeches.map(({ script, voiceId }) => [
			script,
			voiceId.replace(/^au-|-voice$/g, ''),
		]),
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
		studio.service.voices = createVoices(allTags);
		const spellings = locales.flatMap((locale) => spell(locale, allTags));
		const used = await speakIn([...new Set(spellings.map(([text]) => text))]);
		expect(spellings.filter(([text, tag]) => used.get(text) !== tag)).toStrictEqual([]);
	}, 60_000);

	it.each([0, 1, 2, 3, 4])(
		'each that is missing brings no other voice (%i)',
		async (remainder) => {
			const present = allTags.filter((_, index) => index % 5 !== remainder);
			studio.service.voices = createVoices(present);
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
	['Germ', 'No voice speaks the language "Germ"', 'Enter a language such as ar-EG; cs-CZ;'],
	['female', 'No voice speaks the language "female"', 'Enter a language such as ar-EG; cs-CZ;'],
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

test.each(['fr-FR', 'French', 'French (France)', 'fr'])(
	'A voice speaks its further languages after those whose main one it is (%s)',
	async (text) => {
		const [stock] = studio.service.voices;
		const french = studio.service.voices.filter(({ voiceId }) => voiceId === 'ca-fr-FR-paul');
		const ava = {
			...stock!,
			voiceId: 'au-en-US-ava',
			name: 'ava',
			language: 'English (United States)',
			languageCode: 'en-US',
			languageCodes: ['English (United States)', 'French (France)'],
		};
		studio.service.voices = [ava, ...french];
		expect(await speak(text)).toBe('ca-fr-FR-paul');
		studio.service.voices = [ava];
		expect(await speak(text)).toBe('au-en-US-ava');
		expect(await speak('fr-CA')).toMatchObject({ message: expect.any(String) as string });
	},
);

test('A name with a line break does not change the ID that is sent', async () => {
	const [stock] = studio.service.voices;
	studio.service.voices = [{ ...stock!, name: 'a\nb' }];
	expect(await speak('ar-EG')).toBe(stock!.voiceId);
});

/** Voices of languages as large providers offer them; a further word makes the ID. */
const REGIONS = [
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
] as const;
const useRegions = () => {
	const [stock] = studio.service.voices;
	studio.service.voices = REGIONS.map(([languageCode, language, name]) => ({
		...stock!,
		...{ voiceId: name, name, languageCode, language, languageCodes: [language] },
	}));
};

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
	useRegions();
	expect(await speak(text)).toBe(voiceId);
	const { json } = await studio.run(getVoices({ query: text }));
	expect(json.map((voice) => voice.voiceId)).toContain(voiceId);
});

test.each(['zh-Hans-TW', 'zh-MO', 'es-MX', 'uz-Cyrl', 'az-Arab', 'pa-Arab-PK', 'sr-ME', 'ug'])(
	'%s is the language of none of them',
	async (text) => {
		useRegions();
		expect(await speak(text)).toMatchObject({
			message: `No voice speaks the language "${text}"`,
		});
	},
);

test.each(['de_DE', 'de-de', 'German (Germany)', 'Deutsch (Deutschland)'])(
	'The filter on languages accepts the spelling %s',
	async (languageCode) => {
		const { json } = await studio.run(getVoices({ filters: { languageCode } }));
		expect(new Set(json.map((voice) => voice.languageCode))).toStrictEqual(new Set(['de-DE']));
	},
);

test('A filter on a language that no voice speaks is an error that lists what there is', async () => {
	const error = await getError(studio.run(getVoices({ filters: { languageCode: 'de-CH' } })));
	expect(error.message).toBe('No voice speaks the language "de-CH"');
	expect(error.description).toContain('There is de-AT; de-DE.');
});

test.each(['Min Nan', 'min nan, male', 'Min Nan Chinese (Taiwan)', 'nan-TW'])(
	'By Language, the name of a language may consist of short words only (%s)',
	async (text) => {
		const [stock] = studio.service.voices;
		const own = { language: 'Min Nan Chinese (Taiwan)', languageCode: 'nan-TW', languageCodes: [] };
		const minangkabau = { language: 'Minangkabau', languageCode: 'min-ID', languageCodes: [] };
		studio.service.voices = [
			{ ...stock!, ...minangkabau, voiceId: 'minang', gender: 'male' },
			{ ...stock!, ...own, voiceId: 'taiwan', gender: 'male' },
		];
		expect(await speak(text)).toBe('taiwan');
	},
);

test.each(['zh-CN', 'zh', 'Chinese'])(
	'By Language, a voice comes before one of a dialect (%s)',
	async (text) => {
		const [stock] = studio.service.voices;
		studio.service.voices = [
			['zh-CN-liaoning', 'Chinese (Northeastern Mandarin, Simplified)', 'xiaobei'],
			['zh-CN', 'Chinese (Mandarin, Simplified)', 'yunyang'],
		].map(([languageCode, language, name]) => ({
			...stock!,
			voiceId: name!,
			name: name!,
			languageCode: languageCode!,
			language: language!,
			languageCodes: [language!],
		}));
		expect(await speak(text)).toBe('yunyang');
		expect(await speak('zh-CN-liaoning')).toBe('xiaobei');
	},
);

test('The names of languages are looked up once, however many voices and items are compared', () => {
	const voices = createVoices(locales.map(([tag]) => tag));
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
