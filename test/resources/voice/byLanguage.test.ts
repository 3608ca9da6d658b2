import type { Voice } from '../../../service/service';
import { createLocator, createSpeech, getVoices } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

type Spoken = readonly [languageCode: string, language: string, name: string];

/** Makes the service offer one voice for each language, by a name that is its ID as well. */
function useVoices(...spoken: Spoken[]): Voice[] {
	const [stock] = studio.service.voices;
	return (studio.service.voices = spoken.map(([languageCode, language, name]) => ({
		...stock!,
		...{ voiceId: name, name, languageCode, language, languageCodes: [language] },
	})));
}

/** @returns the voice that spoke, or the error */
const speak = async (language: string) => {
	const { error } = await studio.getOutcome(
		createSpeech({ voiceId: createLocator(language, 'language') }),
	);
	return error ?? studio.service.speeches.at(-1)?.voiceId;
};

test.each([
	['en-GB', 'me-en-GB-libby'],
	['en_GB', 'me-en-GB-libby'],
	['EN-gb', 'me-en-GB-libby'],
	[' en-GB ', 'me-en-GB-libby'],
	['en-UK', 'me-en-GB-libby'],
	['English (United Kingdom)', 'me-en-GB-libby'],
	['en-GB, female', 'me-en-GB-libby'],
	['en-GB, Male', 'au-en-GB-ryan'],
	['en-GB, Cadence', 'ca-en-GB-george'],
	['English (United Kingdom), Aurora, female, neural', 'au-en-GB-sonia'],
	['Deutsch', '-de-'],
	['german', '-de-'],
	['de', '-de-'],
	['German (Austria)', 'au-de-AT-ingrid'],
	['Deutsch (Österreich)', 'au-de-AT-ingrid'],
	['Francais', '-fr-'],
	['Norwegian', 'au-nb-NO-finn'],
	['no', 'au-nb-NO-finn'],
	['no-NO', 'au-nb-NO-finn'],
	['norsk', 'au-nb-NO-finn'],
	['cmn-CN', '-zh-CN-'],
	['中文', '-zh-'],
	['العربية', '-ar-'],
])('By Language, %j brings %s, whatever the order of the list', async (text, found) => {
	const first = await speak(text);
	studio.service.voices = [...studio.service.voices].reverse();
	expect(await speak(text)).toBe(first);
	expect(String(first)).toContain(found);
});

test.each([
	['de-CH', 'No voice speaks the language "de-CH"', 'There is de-AT; de-DE.'],
	['German (Belgium)', 'No voice speaks the language "German (Belgium)"', 'There is de-AT; de-DE.'],
	['???', 'No voice speaks the language "???"', 'There is ar-EG; cs-CZ;'],
	['Germ', 'No voice speaks the language "Germ"', 'There is ar-EG; cs-CZ;'],
	['female', 'No voice speaks the language "female"', 'There is ar-EG; cs-CZ;'],
	['de_DE_formal', 'No voice speaks the language "de_DE_formal"', 'There is de-AT; de-DE.'],
	['fi-FI, Cadence', 'No voice matches "fi-FI, Cadence"', 'Voices with this language: Noora · '],
])('By Language, %j is an error that lists what there is', async (text, message, hint) => {
	const description = expect.stringContaining(hint) as string;
	expect(await speak(text)).toMatchObject({ message, description });
	expect(studio.service.speeches).toStrictEqual([]);
});

test('By Language, a neural voice comes first, then the first by name, even without an ID', async () => {
	const plain = { gender: 'female', isNeural: false };
	const [ann, bea] = useVoices(['fi-FI', 'Finnish', 'bea'], ['fi-FI', 'Finnish', 'ann']);
	studio.service.voices = [bea!, { ...ann!, ...plain, name: 'aaron', voiceId: '' }].map(
		(voice) => ({
			...voice,
			...plain,
		}),
	);
	expect(await speak('fi')).toBe('ann');
	studio.service.voices.push({ ...ann!, isNeural: true, name: 'zoe', voiceId: 'zoe' });
	expect(await speak('fi')).toBe('zoe');
});

test('By Language, a neural voice comes before one whose main language it is', async () => {
	const [multilingual, plain] = useVoices(
		['en-US', 'English (United States)', 'ava'],
		['fi-FI', 'Finnish', 'aino'],
	);
	multilingual!.languageCodes = ['English (United States)', 'Finnish'];
	plain!.isNeural = false;
	expect(await speak('fi')).toBe('ava');
});

test('By Language, of two voices with one name the ID decides, whatever the order of the list', async () => {
	const voices = useVoices(['fi-FI', 'Finnish', 'b'], ['fi-FI', 'Finnish', 'a']);
	voices.forEach((voice) => (voice.name = 'noora'));
	expect(await speak('fi')).toBe('a');
	voices.reverse();
	expect(await speak('fi')).toBe('a');
});

const REGIONS: Spoken[] = [
	['zh-HK', 'Chinese (Cantonese, Traditional)', 'hiugaai'],
	['zh-CN', 'Chinese (Mandarin, Simplified)', 'yunyang'],
	['zh-CN-liaoning', 'Chinese (Northeastern Mandarin, Simplified)', 'xiaobei'],
	['zh-TW', 'Chinese (Taiwanese Mandarin)', 'hsiaochen'],
	['yue-CN', 'Chinese (Cantonese, Simplified)', 'anxiaomin'],
	['nn-NO', 'Norwegian Nynorsk (Norway)', 'ane'],
	['es-AR', 'Spanish (Argentina)', 'elena'],
	['es-ES', 'Spanish (Spain)', 'elvira'],
	['uz-UZ', 'Uzbek (Uzbekistan)', 'madina'],
	['fa-IR', 'Farsi (Iran)', 'dilara'],
	['sr-RS', 'Serbian (Cyrillic, Serbia)', 'sophie'],
	['sr-Latn-RS', 'Serbian (Latin, Serbia)', 'nicholas'],
	['', 'Multilingual', 'omni'],
];

test.each<[string, string]>([
	['zh', 'hiugaai hsiaochen xiaobei yunyang'],
	['zh-CN', 'xiaobei yunyang'],
	['zh-CN-liaoning', 'xiaobei'],
	['zh-Hans', 'xiaobei yunyang'],
	['zh-Hant', 'hiugaai hsiaochen'],
	['zh-Hant-HK', 'hiugaai'],
	['yue', 'anxiaomin'],
	['Cantonese', 'anxiaomin'],
	['es-419', 'elena'],
	['es', 'elena elvira'],
	['uz-Latn-UZ', 'madina'],
	['Farsi', 'dilara'],
	['Persian', 'dilara'],
	['sr-RS', 'sophie'],
	['sr-Latn', 'nicholas'],
	['Multilingual', 'omni'],
	...['zh-Hans-TW', 'es-MX', 'uz-Cyrl', 'ug', 'no', 'und', 'Portuguese'].map(
		(text): [string, string] => [text, ''],
	),
])('The language %j is that of: %s', async (languageCode, names) => {
	useVoices(...REGIONS);
	const { json } = await studio.getOutcome(getVoices({ filters: { languageCode } }));
	expect(new Set(json.map(({ voiceId }) => voiceId))).toStrictEqual(
		new Set(names === '' ? [] : names.split(' ')),
	);
});

test.each([
	['fr-FR', 'French (France)'],
	['French', 'fr-FR'],
	['fr', 'French (France)'],
])(
	'Voices whose main language it is come before those that speak it as well (%s, %s)',
	async (text, further) => {
		const [ava] = useVoices(
			['en-US', 'English (United States)', 'ava'],
			['fr-FR', 'French (France)', 'paul'],
		);
		ava!.languageCodes = ['English (United States)', further];
		expect(await speak(text)).toBe('paul');
		studio.service.voices = [ava!];
		expect(await speak(text)).toBe('ava');
		expect(await speak('fr-CA')).toMatchObject({ message: expect.any(String) as string });
	},
);
