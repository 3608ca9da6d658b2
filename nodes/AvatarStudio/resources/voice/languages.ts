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

/**
 * Compares the languages of a voice with the one that a tag or a name stands for.
 *
 * @returns 0 for its main language, 1 for a region or dialect of it, 2 or 3 for a further language, and
 *   Infinity if the voice does not speak it
 */
export function rankLanguage(voice: IDataObject, text: string): number {
	if (normalize(text) === '') return Infinity;
	const wanted = toLanguage(text);
	const main = toLanguage(toText(voice.language), toText(voice.languageCode));
	const others = listFurtherLanguages(voice).map((other) => compare(toLanguage(other), wanted) + 2);
	return Math.min(compare(main, wanted), ...others);
}

export function speaks(voice: IDataObject, text: string): boolean {
	return rankLanguage(voice, text) < Infinity;
}

function compare({ tag, names, plainNames, start }: Language, wanted: Language): number {
	if (tag && wanted.tag) return compareTags(tag, wanted.tag);
	if (wanted.names.some((it) => names.includes(it) || plainNames.includes(it))) return 0;
	return wanted.names.includes(start) ? 1 : Infinity;
}

/** A region and a variant count if they are wanted, and so does the script, which is likely one. */
function compareTags(tag: Intl.Locale, wanted: Intl.Locale): number {
	if (tag.baseName === wanted.baseName) return 0;
	const [one, other] = [tag.maximize(), wanted.maximize()];
	const isAmerican = wanted.region === '419' && AMERICAN_REGIONS.test(one.region ?? '');
	const isSpoken =
		one.language === other.language &&
		(one.script === other.script || !(wanted.script ?? wanted.region)) &&
		(one.region === other.region || isAmerican || !wanted.region) &&
		getVariants(wanted).every((variant) => getVariants(tag).includes(variant));
	return isSpoken ? 1 : Infinity;
}

function getVariants({ baseName }: Intl.Locale): string[] {
	return baseName.match(/-(?:[a-z\d]{5,8}|\d[a-z\d]{3})(?=-|$)/gi) ?? [];
}
