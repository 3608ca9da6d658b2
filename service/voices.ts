import { createUuid } from './uuids';

export type Voice = ReturnType<typeof createVoice>;

const providers = {
	au: { provider: 'Aurora', textToSpeechApiProvider: 'AuroraSpeech', isNeural: true },
	me: { provider: 'Meridian', textToSpeechApiProvider: 'MeridianTts', isNeural: true },
	ca: { provider: 'Cadence', textToSpeechApiProvider: 'CadenceClassic', isNeural: false },
};

// Language tag, display name, then voice names: female before the bar, male after it. The prefix of
// a name selects the provider; without one, it is 'au'.
const table: [string, string, string][] = [
	['ar-EG', 'Arabic (Egypt)', 'salma | shakir'],
	['cs-CZ', 'Czech (Czechia)', 'vlasta | antonin ca:jakub'],
	['da-DK', 'Danish (Denmark)', 'christel | jeppe'],
	['de-AT', 'German (Austria)', 'ingrid | jonas'],
	['de-DE', 'German (Germany)', 'katja me:amala | conrad ca:stefan'],
	['el-GR', 'Greek (Greece)', 'athina | nestoras'],
	['en-AU', 'English (Australia)', 'natasha | william'],
	['en-GB', 'English (United Kingdom)', 'sonia me:libby | ryan me:thomas ca:george'],
	['en-IN', 'English (India)', 'neerja | prabhat'],
	['en-US', 'English (United States)', 'jenny me:aria ca:zira | guy me:davis ca:mark'],
	['es-ES', 'Spanish (Spain)', 'elvira | alvaro'],
	['es-MX', 'Spanish (Mexico)', 'dalia | jorge'],
	['fi-FI', 'Finnish (Finland)', 'noora | harri'],
	['fr-CA', 'French (Canada)', 'sylvie | jean'],
	['fr-FR', 'French (France)', 'denise me:celeste | henri ca:paul'],
	['hi-IN', 'Hindi (India)', 'swara | madhur'],
	['it-IT', 'Italian (Italy)', 'elsa | diego'],
	['ja-JP', 'Japanese (Japan)', 'nanami | keita'],
	['ko-KR', 'Korean (South Korea)', 'sunhi | injoon'],
	['nb-NO', 'Norwegian Bokmål (Norway)', 'pernille | finn'],
	['nl-NL', 'Dutch (Netherlands)', 'colette | maarten'],
	['pl-PL', 'Polish (Poland)', 'zofia | marek'],
	['pt-BR', 'Portuguese (Brazil)', 'francisca | antonio'],
	['sv-SE', 'Swedish (Sweden)', 'sofie | mattias'],
	['tr-TR', 'Turkish (Türkiye)', 'emel | ahmet'],
	['zh-CN', 'Chinese (Mainland China)', 'xiaoxiao | yunxi'],
];

/** A row of the table with a voice whose ID in use is not its name alone. */
const multilingual: typeof table = [
	['en-US', 'English (United States)', 'jennyMultilingual | ryanMultilingual'],
];

/** @param asSpecified whether an ID begins with the provider's prefix, or is as it is in use */
export function createVoices(asSpecified: boolean): Voice[] {
	const rows = asSpecified ? table : [...table, ...multilingual];
	return rows.flatMap(([languageCode, language, names]) =>
		names
			.split(' | ')
			.flatMap((list, index) =>
				list
					.split(' ')
					.map((name) =>
						createVoice(name, index === 0 ? 'female' : 'male', languageCode, language, asSpecified),
					),
			),
	);
}

/** The voices that match a search text; an empty text matches all. */
export function searchVoices(voices: Voice[], query: string): Voice[] {
	const wanted = query.trim().toLowerCase();
	return voices.filter(
		({ name, voiceId, language, languageCode, gender, provider }) =>
			// A gender matches as a whole only, because "female" contains "male".
			[name, voiceId, language, languageCode, provider].some((value) =>
				value.toLowerCase().includes(wanted),
			) || gender === wanted,
	);
}

function createVoice(
	prefixed: string,
	gender: string,
	languageCode: string,
	language: string,
	asSpecified: boolean,
) {
	const [, prefix = 'au', name = ''] = /^(?:(\w+):)?(\w+)$/.exec(prefixed)!;
	const { provider, textToSpeechApiProvider, isNeural } =
		providers[prefix as keyof typeof providers];
	const specifiedId = `${prefix}-${languageCode}-${name}`;
	const capitalized = name.charAt(0).toUpperCase() + name.slice(1);
	const providerVoiceId = `${languageCode}-${capitalized}${isNeural ? 'Neural' : ''}`;
	return {
		id: createUuid(specifiedId),
		voiceId: asSpecified ? specifiedId : providerVoiceId,
		name: name.toLowerCase(),
		gender,
		providerVoiceId,
		provider,
		language,
		languageCode,
		languageCodes: [language],
		languageCodesJson: JSON.stringify([language]),
		isNeural,
		textToSpeechApiProvider,
		audioSampleUrl: null as string | null,
	};
}
