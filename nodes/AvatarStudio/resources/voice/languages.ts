import type { IDataObject } from 'n8n-workflow';

import { filterTexts, normalize, toText } from '../texts';

/** A language as the service states it, or as a user asks for it. All names are normalized. */
interface Language {
	/** The parts of its tag, with the likely script and region. */
	parts: string[];
	/** Those that a voice must have for one who asks for this language. */
	wantedParts: string[];
	names: string[];
	/** Without the region, such as "english" and "deutsch". */
	plainNames: string[];
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
	const key = `${code}\0${name}`;
	const known = cache.get(key);
	if (known) return known;
	const tag = parseTag(code) ?? parseTag(name);
	const likely = tag?.maximize();
	const parts = likely?.baseName.split('-') ?? [];
	if (AMERICAN_REGIONS.test(likely?.region ?? '')) parts.push('419');
	const lists = tag ? ['en', tag.baseName].map((it) => new Intl.DisplayNames(it, DISPLAY)) : [];
	const listNames = (of = '') => filterTexts(lists.map((list) => list.of(of))).map(normalize);
	// Most that is called Norwegian is Bokmål.
	const norwegian = tag?.language === 'nb' ? listNames('no') : [];
	const language = {
		parts,
		wantedParts: tag?.region ? parts : (tag?.baseName.split('-') ?? []),
		names: [normalize(name), normalize(code), ...listNames(tag?.baseName)].filter(Boolean),
		plainNames: [normalize(name.split(/[(（]/)[0]!), ...listNames(tag?.language), ...norwegian],
	};
	if (cache.size > 2_000) cache.clear();
	cache.set(key, language);
	return language;
}

/** A service that names more for one voice is mistaken, and comparing them takes long. */
const MAX_LANGUAGES = 100;

const spoken = new WeakMap<IDataObject, Language[]>();

/** The main one first, which the service lists again by its name, and that says less than its code. */
function listLanguages(voice: IDataObject): Language[] {
	const main = toText(voice.language);
	const listAll = () => [
		toLanguage(main, toText(voice.languageCode)),
		...filterTexts(voice.languageCodes)
			.filter((other) => other !== main)
			.slice(0, MAX_LANGUAGES)
			.map((other) => toLanguage(other)),
	];
	const languages = spoken.get(voice) ?? listAll();
	spoken.set(voice, languages);
	return languages;
}

function isSame({ parts, names, plainNames }: Language, wanted: Language): boolean {
	if (parts.length > 0 && wanted.parts.length > 0) {
		return wanted.wantedParts.every((part) => parts.includes(part));
	}
	return wanted.names.some((name) => names.includes(name) || plainNames.includes(name));
}

/** @returns whether a tag or a name stands for any language that a voice speaks */
export function speaks(voice: IDataObject, text: string): boolean {
	const wanted = toLanguage(text);
	return listLanguages(voice).some((language) => isSame(language, wanted));
}

/** @returns whether it stands for the language that a voice speaks by itself */
export function hasMainLanguage(voice: IDataObject, text: string): boolean {
	return isSame(listLanguages(voice)[0]!, toLanguage(text));
}
