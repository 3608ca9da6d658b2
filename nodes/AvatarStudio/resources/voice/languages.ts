import type { IDataObject } from 'n8n-workflow';

import { filterTexts, normalize, toText } from '../texts';

import { listFurtherLanguages } from './voice';

/** A language as the service states it, or as a user asks for it. All names are normalized. */
interface Language {
	tag?: Intl.Locale;
	/** The name that was given, and the English and own ones of the tag. */
	names: string[];
	/** The latter without the region, such as "english" and "deutsch". */
	plainNames: string[];
	/** "english" of "English (United Kingdom)", as the service calls it. */
	start: string;
}

/** The Spanish of these regions is "es-419" (CLDR, parent locales). */
const AMERICAN_REGIONS = /^(?:419|AR|B[ORZ]|C[LORU]|DO|EC|GT|HN|MX|NI|P[AERY]|SV|US|UY|VE)$/;
/** A dialect, such as "zh-CN-liaoning", is only itself. */
const VARIANT = /-([a-z\d]{5,8}|\d[a-z\d]{3})(-|$)/i;
const DISPLAY = { type: 'language', languageDisplay: 'standard', fallback: 'none' } as const;

/**
 * @returns a language tag, `he-IL` for `IW_il`; undefined if the text is none, or names no language. A
 *   code of three letters where there is one of two is none: "Ben", "Dan" and "Mar" are names.
 */
export function parseTag(text: string): Intl.Locale | undefined {
	const tag = text.trim().replaceAll('_', '-').replace(/^no\b/i, 'nb');
	// RFC 5646, section 4.4.1. `Intl.Locale` takes the square of the length.
	if (!/^(?!und\b)(?=.{2,35}$)[a-z]{2,3}(?:-|$)/i.test(tag)) return undefined;
	try {
		const locale = new Intl.Locale(tag);
		return tag.length === 3 && locale.language.length === 2 ? undefined : locale;
	} catch {
		return undefined;
	}
}

const cache = new Map<string, Language>();

function toLanguage(name: string, code = ''): Language {
	const key = JSON.stringify([name, code]);
	const known = cache.get(key);
	if (known) return known;
	const tag = parseTag(code) ?? parseTag(name);
	const lists = tag ? ['en', tag.baseName].map((it) => new Intl.DisplayNames(it, DISPLAY)) : [];
	const listNames = (of: string) => filterTexts(lists.map((list) => list.of(of))).map(normalize);
	const given = filterTexts(name, tag ? '' : code).map(normalize);
	const language = {
		tag,
		names: tag ? [...given, ...listNames(tag.baseName)] : given,
		// Most that is called Norwegian is Bokmål.
		plainNames: [tag?.language, tag?.language === 'nb' && 'no'].flatMap((it) =>
			it ? listNames(it) : [],
		),
		start: given[0]?.split(/[(（]/)[0]!.trim() ?? '',
	};
	if (cache.size > 2_000) cache.clear();
	cache.set(key, language);
	return language;
}

/** @returns whether a tag or a name stands for the language that a voice speaks by itself */
export function hasMainLanguage({ language, languageCode }: IDataObject, text: string): boolean {
	const main = toLanguage(toText(language), toText(languageCode));
	return normalize(text) !== '' && isSame(main, toLanguage(text));
}

/** @returns whether a tag or a name stands for any language that a voice speaks */
export function speaks(voice: IDataObject, text: string): boolean {
	if (hasMainLanguage(voice, text)) return true;
	const wanted = toLanguage(text);
	const others = normalize(text) === '' ? [] : listFurtherLanguages(voice);
	return others.some((other) => isSame(toLanguage(other), wanted));
}

function isSame({ tag, names, plainNames, start }: Language, wanted: Language): boolean {
	if (tag && wanted.tag) return isSameTag(tag, wanted.tag);
	return wanted.names.some((it) => it === start || names.includes(it) || plainNames.includes(it));
}

/** A region and a variant count if they are wanted, and so does the script, which is likely one. */
function isSameTag(tag: Intl.Locale, wanted: Intl.Locale): boolean {
	if (tag.baseName === wanted.baseName) return true;
	const [one, other] = [tag.maximize(), wanted.maximize()];
	const isAmerican = wanted.region === '419' && AMERICAN_REGIONS.test(one.region ?? '');
	return (
		one.language === other.language &&
		(one.script === other.script || !(wanted.script ?? wanted.region)) &&
		(one.region === other.region || isAmerican || !wanted.region) &&
		!VARIANT.test(wanted.baseName)
	);
}
