import { toWords } from '../texts';

const NAME_OPTIONS = { type: 'language', languageDisplay: 'standard', fallback: 'none' } as const;
/** "English (United Kingdom)", "English (UK)", "British English" and "UK English". */
const ENGLISH_STYLES = [
	{},
	{ style: 'short' },
	{ languageDisplay: 'dialect' },
	{ languageDisplay: 'dialect', style: 'short' },
] as const;
/** Words that other lists have for a language, each with the words of Intl. */
const INTL_WORDS: Record<string, string> = {
	azeri: 'azerbaijani',
	bengali: 'bangla',
	bokmal: 'norwegian bokmal',
	cambodian: 'khmer',
	castilian: 'spanish',
	farsi: 'persian',
	haitian: 'haitian creole',
	kirghiz: 'kyrgyz',
	letzeburgesch: 'luxembourgish',
	mandarin: 'chinese',
	moldovan: 'romanian',
	myanmar: 'burmese',
	nynorsk: 'norwegian nynorsk',
	oriya: 'odia',
	panjabi: 'punjabi',
	pushto: 'pashto',
	sinhalese: 'sinhala',
	slovene: 'slovenian',
	tagalog: 'filipino',
	uighur: 'uyghur',
	usa: 'us',
	valencian: 'catalan',
};
/** What lists the English names in each style. It takes long to create, so it waits for its first use. */
let englishNames: Intl.DisplayNames[] | undefined;

/** @returns the words of a name of a language, each once, in alphabetical order, in those of Intl */
export function toNameKey(name: string): string {
	// "English (U.S.)"
	const words = toWords(name.replaceAll('.', ''));
	const ofIntl = words.flatMap((word) => (INTL_WORDS[word] ?? word).split(' '));
	return [...new Set(ofIntl)].sort().join(' ');
}

/** @returns the English names of a tag, the longest first, such as that of "English (Canada)" */
export function listEnglishNames(tag: string): string[] {
	englishNames ??= ENGLISH_STYLES.map(
		(style) => new Intl.DisplayNames('en', { ...NAME_OPTIONS, ...style }),
	);
	return englishNames.map((names) => toNameKey(names.of(tag) ?? ''));
}

/**
 * @param tag of the language
 * @param others tags that it has as well
 * @returns the names of a language in English and in itself, with and without its region
 */
export function listNames({ baseName, language, region }: Intl.Locale, others: string[]): string[] {
	const [name = ''] = listEnglishNames(language);
	// A language that someone invented has no names: creating a list of them would take long for nothing.
	if (name === '') return [];
	const codes = [baseName, language, ...others];
	const ownNames = new Intl.DisplayNames(baseName, NAME_OPTIONS);
	return [
		...codes.flatMap(listEnglishNames),
		...codes.map((code) => toNameKey(ownNames.of(code) ?? '')),
		// "English (GB)"
		toNameKey(`${name} ${region ?? ''}`),
	];
}
