import { memoizeText } from './memoize';
import { divideWords, filterTexts, toPhrase } from './phrase';

/** A language, or a language of a region, as texts are compared with it. */
export interface Language {
	/** Undefined if only its names are known. */
	tag?: Tag;
	names: LanguageName[];
}

/** A language tag with its likely script and region: "zh" is "zh-Hans-CN" (CLDR, likely subtags). */
interface Tag {
	given: Intl.Locale;
	likely: Intl.Locale;
	/** "-liaoning", or empty. */
	variants: string;
	/** How far it is from the language's likely form: "zh", "zh-TW", "zh-HK". */
	distance: number;
}

interface LanguageName {
	/** "english united kingdom" */
	whole: string;
	/** "english", the part before the parenthesis; empty if only the whole name counts. */
	language: string;
}

/** RFC 5646, section 4.4.1. `Intl.Locale` takes the square of the length. */
const MAX_TAG_LENGTH = 35;
/** Nobody asks for more languages at once. */
const MAX_TAGS = 5;

/** The Spanish of these regions is "es-419" (CLDR, parent locales). */
const AMERICAN_REGIONS =
	/^(?:419|AR|BO|BR|BZ|CL|CO|CR|CU|DO|EC|GT|HN|MX|NI|PA|PE|PR|PY|SV|US|UY|VE)$/;

/**
 * @returns a BCP 47 language tag in its canonical form, `he-IL` for `IW_il`, or undefined if the
 *   text is none. A word of four or more letters is none, although the standard reserves them, nor is
 *   "und", which names no language.
 */
export function parseTag(text: string): string | undefined {
	if (text.length > MAX_TAG_LENGTH) return undefined;
	const tag = text.trim().replaceAll('_', '-');
	if (!/^(?!und\b)[a-z]{2,3}(?:-|$)/i.test(tag)) return undefined;
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
	if (tag === undefined) return { names: filterTexts(name, code).map(toLanguageName) };
	const known = describeTag(tag);
	return { ...known, names: [...filterTexts(name).map(toLanguageName), ...known.names] };
}

const DISPLAY = { type: 'language', languageDisplay: 'standard', fallback: 'none' } as const;

/** Not at load time: the first one takes as long as loading all other code. */
const getDisplayNames = memoizeText((english) => ({
	names: [
		new Intl.DisplayNames(english, DISPLAY),
		new Intl.DisplayNames(english, { ...DISPLAY, style: 'short' }),
		// "Bengali" instead of "Bangla".
		new Intl.DisplayNames(`${english}-CA`, DISPLAY),
	],
	// "British English" and "UK English", of which "British" says nothing.
	dialects: (['long', 'short'] as const).map(
		(style) => new Intl.DisplayNames(english, { ...DISPLAY, languageDisplay: 'dialect', style }),
	),
}));

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** All codes of two letters by their names: "Chinese" is "zh", not all that is called "Chinese (…)". */
const getCodes = memoizeText((english) => {
	const [list] = getDisplayNames(english).names;
	const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
	return new Map(
		codes.flatMap((code) =>
			filterTexts(list!.of(code)).map((name) => [toLanguageName(name).whole, code] as const),
		),
	);
});

/** A tag with its English names and its own; creating an `Intl.DisplayNames` takes longest of all. */
const describeTag = memoizeText((text): Required<Language> => {
	const { names, dialects } = getDisplayNames('en');
	const ownNames = new Intl.DisplayNames(text, DISPLAY);
	// Almost all that is called Norwegian ("no", "norsk") is Bokmål.
	const given = new Intl.Locale(text.replace(/^no\b/, 'nb'));
	const { baseName, language, script, region } = given;
	const likely = given.maximize();
	const written = new Intl.Locale(language, { script: likely.script });
	const isLikely = written.maximize().region === likely.region;
	// "Chinese (Traditional)" and "Traditional Chinese", but not "English (Latin)".
	const ofScript = new Set([names, dialects].map(([list]) => list!.of(written.baseName)));
	const wholeNames = [
		...dialects.map((list) => list.of(text)),
		...(ofScript.size > 1 ? ofScript : []),
	];
	return {
		tag: {
			given,
			likely,
			variants: baseName.slice(filterTexts(language, script, region).join('-').length),
			distance: given.minimize().baseName.length + (isLikely ? 0 : 1),
		},
		names: [
			...filterTexts(
				[...names, ownNames].map((list) => list.of(text)),
				ownNames.of(text.replace(/^nb\b/, 'no')),
			).map(toLanguageName),
			...filterTexts(wholeNames).map((name) => ({ ...toLanguageName(name), language: '' })),
		],
	};
});

function toLanguageName(name: string): LanguageName {
	const [language = ''] = name.split(/[(（]/);
	return { whole: divideWords(toPhrase(name)), language: divideWords(toPhrase(language)) };
}

/**
 * Divides a phrase that stands for a language into its tags and its other words. The name is all of
 * its words, unless they are one tag: "min nan" are two tags and a name.
 */
const parsePhrase = memoizeText((text) => {
	const phrase = getCodes('en').get(divideWords(text)) ?? text;
	const words = phrase.split(' ').map((word) => [word, parseTag(word)] as const);
	const tags = filterTexts(words.map(([, tag]) => tag));
	const otherWords = words.filter(([, tag]) => tag === undefined).map(([word]) => word);
	return {
		name: parseTag(phrase) === undefined ? divideWords(phrase) : '',
		tags: (tags.length > MAX_TAGS ? [] : tags).map(describeTag),
		otherWords: divideWords(otherWords.join(' ')),
	};
});

/**
 * Compares a language with the one that a phrase stands for. A tag is compared with tags only, each
 * with its likely script and region: `de` is a language of `de-AT`, and `de-DE` is not; `zh-Hans` is
 * one of `zh-CN`. The English name of a code is that code. Any other name is compared as whole words:
 * with the whole name or the part before the parenthesis, of which the first words suffice in the name
 * that the service gives the language.
 *
 * @param phrase see `toPhrase`; an empty one stands for no language
 */
export function isLanguage(language: Language, phrase: string): boolean {
	const { name, tags, otherWords } = parsePhrase(phrase);
	if (name !== '' && hasName(language, name)) return true;
	return (
		tags.length > 0 &&
		tags.every((wanted) => isOfTag(language, wanted)) &&
		(otherWords === '' || hasName(language, otherWords))
	);
}

function hasName(language: Language, words: string): boolean {
	const given = language.names[0]?.language ?? '';
	return isNamed(language, words) || `${given} `.startsWith(`${words} `);
}

function isNamed({ names }: Language, words: string): boolean {
	return names.some(({ whole, language }) => whole === words || language === words);
}

/** A language of which only the name is known is compared with the names of the tag. */
function isOfTag(language: Language, { tag: wanted, names }: Required<Language>): boolean {
	const { tag } = language;
	if (!tag) return names.some(({ whole }) => isNamed(language, whole));
	const { script, region } = wanted.given;
	return (
		tag.likely.language === wanted.likely.language &&
		(tag.likely.script === wanted.likely.script || !(script ?? region)) &&
		(isInRegion(tag.likely.region, region) || !region) &&
		(tag.variants === wanted.variants || wanted.variants === '')
	);
}

function isInRegion(region = '', wanted = ''): boolean {
	return region === wanted || (wanted === '419' && AMERICAN_REGIONS.test(region));
}
