import { divideWords, filterTexts, toPhrase } from './phrase';

/** A language, or a language of a region, as texts are compared with it. */
export interface Language {
	/** Lower-case subtags of its tag, if it has one: `['en', 'gb']`. */
	subtags: string[];
	names: LanguageName[];
}

interface LanguageName {
	/** "english united kingdom" */
	whole: string;
	/** "english", the part before the parenthesis; empty if only the whole name counts. */
	language: string;
}

/** A text that stands for a language, parsed. */
export interface WantedLanguage {
	/** All its words, unless they are one tag: "min nan" are two tags and a name. */
	name: string;
	/** The languages of its tags, and its words other than tags. */
	tags: Language[];
	otherWords: string;
}

/**
 * @returns a BCP 47 language tag in its canonical form, `he-IL` for `IW_il`, or undefined if the
 *   text is none. A word of four or more letters is none, although the standard reserves them.
 */
export function parseTag(text: string): string | undefined {
	const tag = text.trim().replaceAll('_', '-');
	if (!/^[a-z]{2,3}(?:-|$)/i.test(tag)) return undefined;
	try {
		return new Intl.Locale(tag).baseName;
	} catch {
		return undefined;
	}
}

/**
 * @param name the service's name for the language, or its tag: `languageCodes` may hold either
 * @param code the language's tag, if it is known; a text that is no tag counts as a name
 */
export function toLanguage(name: string, code: string): Language {
	const tag = parseTag(code) ?? parseTag(name);
	const names = filterTexts(name, tag === undefined ? code : getNames(tag));
	// Almost all that is called Norwegian is Bokmål.
	const subtags = tag?.toLowerCase().replace(/^no\b/, 'nb').split('-') ?? [];
	const dialect = filterTexts(tag === undefined ? undefined : getEnglish().dialects.of(tag));
	return {
		subtags,
		names: [
			...names.map(toLanguageName),
			...dialect.map((whole) => ({ whole: divideWords(toPhrase(whole)), language: '' })),
		],
	};
}

const DISPLAY = { type: 'language', languageDisplay: 'standard', fallback: 'none' } as const;

let english: { names: Intl.DisplayNames[]; dialects: Intl.DisplayNames } | undefined;

/** Not at load time: the first one takes as long as loading all other code. */
function getEnglish() {
	english ??= {
		names: [
			new Intl.DisplayNames('en', DISPLAY),
			new Intl.DisplayNames('en', { ...DISPLAY, style: 'short' }),
		],
		// "British English", of which "British" says nothing.
		dialects: new Intl.DisplayNames('en', { ...DISPLAY, languageDisplay: 'dialect' }),
	};
	return english;
}

/** The names of a language in English and in the language itself. */
function getNames(tag: string): string[] {
	const spellings = [...getEnglish().names, new Intl.DisplayNames(tag, DISPLAY)];
	return filterTexts(spellings.map((names) => names.of(tag)));
}

function toLanguageName(name: string): LanguageName {
	const [language = ''] = name.split(/[(（]/);
	return { whole: divideWords(toPhrase(name)), language: divideWords(toPhrase(language)) };
}

/** @param phrase see `toPhrase` */
export function parseLanguage(phrase: string): WantedLanguage {
	const words = phrase.split(' ');
	const tags = words.map(parseTag).filter((tag) => tag !== undefined);
	const otherWords = words.filter((word) => parseTag(word) === undefined).join(' ');
	return {
		name: parseTag(phrase) === undefined ? divideWords(phrase) : '',
		tags: tags.map((tag) => toLanguage('', tag)),
		otherWords: divideWords(otherWords),
	};
}

/**
 * Compares a language with the one that is wanted. A tag is compared with tags only, subtag by
 * subtag from the left: `de` is a language of `de-AT`, and `de-DE` is not. A name is compared as
 * whole words: with the whole name, or from the left with the part before the parenthesis.
 */
export function isLanguage(language: Language, wanted: WantedLanguage): boolean {
	const { name, tags, otherWords } = wanted;
	if (name !== '' && hasName(language, name)) return true;
	return (
		tags.length > 0 &&
		tags.every((tag) => hasTag(language, tag)) &&
		(otherWords === '' || hasName(language, otherWords))
	);
}

function hasName({ names }: Language, words: string): boolean {
	return names.some(
		({ whole, language }) => whole === words || `${language} `.startsWith(`${words} `),
	);
}

/** A language of which only the name is known is compared with the English name of the tag. */
function hasTag(language: Language, wanted: Language): boolean {
	if (language.subtags.length > 0) {
		return wanted.subtags.every((subtag, index) => subtag === language.subtags[index]);
	}
	return wanted.names.some(({ whole }) => hasName(language, whole));
}
