/** The locales of a large provider of voices. */
const TAGS = `
	af-ZA am-ET ar-AE ar-EG ar-JO ar-MA ar-SA az-AZ bg-BG bn-BD bn-IN bs-BA ca-ES cs-CZ cy-GB
	da-DK de-AT de-CH de-DE el-GR en-AU en-CA en-GB en-IE en-IN en-NZ en-US en-ZA es-AR es-CO
	es-ES es-MX es-SV et-EE eu-ES fa-IR fi-FI fil-PH fr-BE fr-CA fr-CH fr-FR ga-IE gl-ES gu-IN
	he-IL hi-IN hr-HR hu-HU hy-AM id-ID is-IS it-IT ja-JP jv-ID ka-GE kk-KZ km-KH kn-IN ko-KR
	lo-LA lt-LT lv-LV mk-MK ml-IN mn-MN mr-IN ms-MY mt-MT my-MM nb-NO ne-NP nl-NL pl-PL ps-AF
	pt-BR pt-PT ro-RO ru-RU si-LK sk-SK sl-SI so-SO sq-AL sr-RS su-ID sv-SE sw-KE ta-IN te-IN
	th-TH tr-TR uk-UA ur-PK vi-VN zh-CN zh-HK zh-TW zu-ZA
`;

/** Names by which such a provider displays a language otherwise than Unicode does. */
const PROVIDER_NAMES: Record<string, string> = {
	'my-MM': 'Burmese (Myanmar)',
	'sr-RS': 'Serbian (Cyrillic)',
	'zh-CN': 'Chinese (Mandarin, Simplified)',
	'zh-HK': 'Chinese (Cantonese, Traditional)',
	'zh-TW': 'Chinese (Taiwanese Mandarin)',
};

const getName = (tag: string, inLocale: string) =>
	new Intl.DisplayNames(inLocale, { type: 'language', languageDisplay: 'standard' }).of(tag)!;

/** The tag, the name as the provider displays it, and the language's name in itself. */
export const locales: [tag: string, name: string, ownName: string][] = TAGS.trim()
	.split(/\s+/)
	.map((tag) => [tag, PROVIDER_NAMES[tag] ?? getName(tag, 'en'), getName(tag.split('-')[0]!, tag)]);
