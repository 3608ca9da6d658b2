import { createUuid } from './uuids';

/** A voice as the service lists it. */
export interface Voice {
	id: string;
	voiceId: string;
	name: string;
	gender: string;
	providerVoiceId: string;
	provider: string;
	language: string;
	languageCode: string;
	languageCodes: string[];
	languageCodesJson: string;
	isNeural: boolean;
	textToSpeechApiProvider: string;
	audioSampleUrl: string | null;
}

const providers = {
	au: { provider: 'Aurora', textToSpeechApiProvider: 'AuroraSpeech', isNeural: true },
	me: { provider: 'Meridian', textToSpeechApiProvider: 'MeridianTts', isNeural: true },
	ca: { provider: 'Cadence', textToSpeechApiProvider: 'CadenceClassic', isNeural: false },
};
type Prefix = keyof typeof providers;

// Language tag, its display name, then the names: women's before the bar, men's behind it.
// A name that no provider is given for is Aurora's.
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

/** The voices the service has, always the same ones. */
export function createStockVoices(): Voice[] {
	return table.flatMap(([languageCode, language, names]) => {
		const [women = '', men = ''] = names.split('|');
		return [
			...words(women).map((word) => voice(word, 'female', languageCode, language)),
			...words(men).map((word) => voice(word, 'male', languageCode, language)),
		];
	});
}

/** The voices that a search text finds; an empty text finds all. */
export function searchVoices(voices: Voice[], query: string): Voice[] {
	const wanted = query.trim().toLowerCase();
	return voices.filter(
		({ name, voiceId, language, languageCode, gender, provider }) =>
			// A gender is found by its whole word only: "male" is a part of "female".
			[name, voiceId, language, languageCode, provider].some((value) =>
				value.toLowerCase().includes(wanted),
			) || gender === wanted,
	);
}

function words(text: string): string[] {
	return text.trim().split(/\s+/);
}

function voice(word: string, gender: string, languageCode: string, language: string): Voice {
	const [prefix, name] = (word.includes(':') ? word.split(':') : ['au', word]) as [Prefix, string];
	const { isNeural, provider, textToSpeechApiProvider } = providers[prefix];
	const voiceId = `${prefix}-${languageCode}-${name}`;
	const capitalized = name.charAt(0).toUpperCase() + name.slice(1);
	const languageCodes = [language];
	return {
		id: createUuid(voiceId),
		voiceId,
		name,
		gender,
		providerVoiceId: `${languageCode}-${capitalized}${isNeural ? 'Neural' : ''}`,
		provider,
		language,
		languageCode,
		languageCodes,
		languageCodesJson: JSON.stringify(languageCodes),
		isNeural,
		textToSpeechApiProvider,
		audioSampleUrl: null,
	};
}
