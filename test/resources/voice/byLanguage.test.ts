import { createLocator, createSpeech, getVoices } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

/** Makes the service offer one voice for each language, by a name that is its ID as well. */
function useVoices(...spoken: [languageCode: string, language: string, name: string][]) {
	const [stock] = studio.service.voices;
	studio.service.voices = spoken.map(([languageCode, language, name]) => ({
		...stock!,
		...{ voiceId: name, name, languageCode, language, languageCodes: [language] },
	}));
	return studio.service.voices;
}

/** @returns the voice that spoke, or the error */
const speak = async (language: string) => {
	const voiceId = createLocator(language, 'language');
	const { error } = await studio.getOutcome(createSpeech({ voiceId }));
	return error ?? studio.service.speeches.at(-1)?.voiceId;
};

test.each([
	['en-GB', 'me-en-GB-libby'],
	[' en_gb ', 'me-en-GB-libby'],
	['English (United Kingdom)', 'me-en-GB-libby'],
	['en-GB, Male', 'au-en-GB-ryan'],
	['English (United Kingdom), Aurora, female, neural', 'au-en-GB-sonia'],
	['de', '-de-'],
	['german', '-de-'],
	['Deutsch (Österreich)', 'au-de-AT-ingrid'],
	['Francais', '-fr-'],
	['no', 'au-nb-NO-finn'],
	['中文', '-zh-'],
])('By Language, %j brings %s, whatever the order of the list', async (text, found) => {
	const first = await speak(text);
	studio.service.voices = [...studio.service.voices].reverse();
	expect(await speak(text)).toBe(first);
	expect(String(first)).toContain(found);
});

test.each<[string, hint: string, message?: string]>([
	['de-CH', 'There is de-AT; de-DE.'],
	['German (Belgium)', 'There is de-AT; de-DE.'],
	['Germ', 'There is de-AT; de-DE.'],
	['Irish English', 'There is en-AU; en-GB; en-IN; en-US.'],
	['Brazilian', 'There is pt-BR.'],
	['Klingon', 'There is ar-EG; cs-CZ;'],
	['tlh', 'There is ar-EG; cs-CZ;'],
	['qaa-QM', 'There is ar-EG; cs-CZ;'],
	['fi-FI, Cadence', 'Voice: Get Many lists the voices', 'Voice "fi-FI, Cadence" matches no voice'],
])('By Language, %j is an error that lists what there is: %s', async (...row) => {
	const [text, hint, message = `No voice speaks the language "${text}"`] = row;
	const description = expect.stringContaining(hint) as string;
	expect(await speak(text)).toMatchObject({ message, description });
	expect(studio.service.speeches).toStrictEqual([]);
});

test('By Language, neural voices come first, of them those whose main language it is, then by name and ID', async () => {
	const voices = useVoices(
		['fi-FI', 'Finnish', 'ben-2'],
		['fi-FI', 'Finnish', 'ben-1'],
		['en-US', 'English (United States)', 'ann'],
		['fi-FI', 'Finnish', 'plain'],
		['fi-FI', 'Finnish', ''],
	);
	voices.slice(0, 2).forEach((voice) => (voice.name = 'ben'));
	voices[2]!.languageCodes = ['English (United States)', 'Finnish (Finland)'];
	voices[3]!.isNeural = false;
	for (const expected of ['ben-1', 'ben-2', 'ann', 'plain']) {
		expect(await speak('fi')).toBe(expected);
		studio.service.voices = studio.service.voices.filter(({ voiceId }) => voiceId !== expected);
	}
});

test.each([
	['en', 'mia'],
	['English', 'mia'],
	['en, male', 'mia'],
	['en-KE', 'abbi'],
	['pt', 'zoe'],
	['Português', 'zoe'],
	['es', 'xenia'],
	['zh', 'yunyang'],
	['中文', 'yunyang'],
	['Chinese', 'yunyang'],
	['zh-Hant', 'yating'],
	['Chinese (Traditional)', 'yating'],
	['Traditional Chinese', 'yating'],
	['de', 'anton'],
])('The first voice of the language %j, which states no region, is %j', async (text, name) => {
	const voices = useVoices(
		['en-KE', 'English (Kenya)', 'abbi'],
		['en-US', 'English (United States)', 'mia'],
		['es-AR', 'Spanish (Argentina)', 'elena'],
		['es-ES', 'Spanish (Spain)', 'xenia'],
		['pt-PT', 'Portuguese (Portugal)', 'ana'],
		['pt-BR', 'Portuguese (Brazil)', 'zoe'],
		['zh-HK', 'Chinese (Cantonese, Traditional)', 'hiugaai'],
		['zh-CN-liaoning', 'Chinese (Northeastern Mandarin, Simplified)', 'xiaobei'],
		['zh-CN', 'Chinese (Mandarin, Simplified)', 'yunyang'],
		['zh-TW', 'Chinese (Taiwanese Mandarin, Traditional)', 'yating'],
		['de-AT', 'German (Austria)', 'anton'],
	);
	voices[0]!.languageCodes = ['English (Kenya)', 'English (United States)'];
	for (const voice of voices) voice.gender = 'male';
	// The likely region comes before neural voices of other regions.
	for (const voice of voices.slice(2)) voice.isNeural = voice.name !== name;
	expect(await speak(text)).toBe(name);
});

test.each([
	['English', ['eng', 'ENG', 'Eng', 'en', 'english', 'eng-US', 'US English', 'English - US']],
	[
		'English',
		['English (US)', 'English (USA)', 'English (U.S.)', 'English, US', 'American English'],
	],
	[
		'British',
		['English (UK)', 'English (GB)', 'British English', 'UK English', 'English (British)'],
	],
	['British', ['en_UK', 'ENGLISH - UK', 'english (united kingdom)']],
	[
		'Brazilian',
		['por', 'Portuguese', 'Brazilian Portuguese', 'Portuguese (BR)', 'Portuguese/Brazil'],
	],
	['European', ['European Portuguese', 'Portuguese (Portugal)', 'portuguese_portugal']],
	['Tagalog', ['tagalog', 'Filipino', 'tgl', 'fil', 'tl', 'tl-PH', 'Tagalog (Philippines)']],
	['German', ['deu', 'ger', 'DEU', 'German', 'German (Germany)']],
	[
		'Chinese',
		['zho', 'chi', 'cmn', 'cmn-CN', 'Mandarin', 'Mandarin Chinese', 'Simplified Chinese'],
	],
	['Taiwanese', ['Traditional Chinese', 'Chinese (Traditional)', 'zh-Hant', 'Chinese (Taiwan)']],
	['Flemish', ['Flemish', 'Dutch (Belgium)', 'nl-BE']],
	[
		'Latin',
		['Latin American Spanish', 'Mexican Spanish', 'Spanish (Mexico)', 'Spanish (Latin American)'],
	],
	['Castilian', ['Castilian', 'spa', 'European Spanish', 'Spanish (ES)']],
	['Norwegian', ['nor', 'nob', 'Norwegian', 'Bokmål', 'Norwegian (Bokmål)']],
	['Bengali', ['ben', 'bengali', 'Bangla', 'Bengali (India)']],
	['Persian', ['fas', 'per', 'farsi', 'Persian', 'Farsi (Iran)']],
	['Greek', ['ell', 'gre', 'greek']],
])('The %s voice is found by each of %j', async (name, texts) => {
	useVoices(
		['en-US', 'English (United States)', 'English'],
		['en-GB', 'English (United Kingdom)', 'British'],
		['pt-PT', 'Portuguese (Portugal)', 'European'],
		['pt-BR', 'Portuguese (Brazil)', 'Brazilian'],
		['fil-PH', 'Filipino (Philippines)', 'Tagalog'],
		['de-DE', 'German (Germany)', 'German'],
		['zh-CN', 'Chinese (Mandarin, Simplified)', 'Chinese'],
		['zh-TW', 'Chinese (Taiwanese Mandarin, Traditional)', 'Taiwanese'],
		['nl-BE', 'Dutch (Belgium)', 'Flemish'],
		['nl-NL', 'Dutch (Netherlands)', 'Dutch'],
		['es-MX', 'Spanish (Mexico)', 'Latin'],
		['es-ES', 'Spanish (Spain)', 'Castilian'],
		['nb-NO', 'Norwegian Bokmål (Norway)', 'Norwegian'],
		['bn-IN', 'Bengali (India)', 'Bengali'],
		['fa-IR', 'Persian (Iran)', 'Persian'],
		['', 'Greek', 'Greek'],
	);
	for (const text of texts) expect([text, await speak(text)]).toStrictEqual([text, name]);
});

test.each([
	['zh', ['hiugaai', 'xiaobei', 'yunyang']],
	['zh-CN', ['xiaobei', 'yunyang']],
	['zh-CN-liaoning', ['xiaobei']],
	['zh-Hant', ['hiugaai']],
	['yue', ['anxiaomin']],
	['es', ['elena', 'elvira']],
	['es-419', ['elena']],
	['Persian', ['dilara']],
	['sr-RS', ['sophie']],
	['sr-Latn', ['nicholas']],
	['Multilingual', ['omni']],
	['no', []],
])('The language %j is that of %j', async (text, names) => {
	useVoices(
		['zh-HK', 'Chinese (Cantonese, Traditional)', 'hiugaai'],
		['zh-CN', 'Chinese (Mandarin, Simplified)', 'yunyang'],
		['zh-CN-liaoning', 'Chinese (Northeastern Mandarin, Simplified)', 'xiaobei'],
		['yue-CN', 'Chinese (Cantonese, Simplified)', 'anxiaomin'],
		['nn-NO', 'Norwegian Nynorsk (Norway)', 'ane'],
		['es-AR', 'Spanish (Argentina)', 'elena'],
		['es-ES', 'Spanish (Spain)', 'elvira'],
		['fa-IR', 'Farsi (Iran)', 'dilara'],
		['sr-RS', 'Serbian (Cyrillic, Serbia)', 'sophie'],
		['sr-Latn-RS', 'Serbian (Latin, Serbia)', 'nicholas'],
		['', 'Multilingual', 'omni'],
	);
	const { json } = await studio.getOutcome(getVoices({ filters: { languageCode: text } }));
	expect(json.map(({ voiceId }) => voiceId).sort()).toStrictEqual(names);
});
