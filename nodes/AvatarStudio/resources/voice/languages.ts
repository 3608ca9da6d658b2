import type { IDataObject } from 'n8n-workflow';

import { filterTexts, normalize, toText, toWords } from '../texts';

/** A language as the service states it, or as a user asks for it. */
interface Language {
	/** All tags that stand for it: for de-DE "de", "de-Latn", "de-Latn-DE". Empty if it is known by name only. */
	tags: string[];
	/** Its tag with language, script and region; those that are not stated are the likely ones. */
	fullTag?: string;
	/** The full tag of its language if neither script nor region are stated: for de-AT "de-Latn-DE". */
	likelyTag?: string;
	/** If a user asks for this language, this must be one of the tags of a language of the voice. */
	wantedTag?: string;
	/** Its English names, own names and codes, with and without region. A user asks for the first one. */
	names: string[];
	/** The English name with the region, which is the likely one if none is stated. */
	regionalName?: string;
}

/** Language, script, region and variant; `und` stands for no language. */
const TAG = /^(?!und\b)[a-z]{2,3}(-[a-z]{4})?(-[a-z]{2}|-\d{3})?(-[a-z\d]{5,8})?$/i;

/** @returns the language tag that a text is, such as `he-IL` for `IW_il`, or undefined */
export function parseTag(text: string): Intl.Locale | undefined {
	const tag = text.trim().replaceAll('_', '-').replace(/^no\b/i, 'nb');
	if (!TAG.test(tag)) return undefined;
	const locale = new Intl.Locale(tag);
	// "Ben", "Dan" and "Mar" are names, and languages that have a code of two letters.
	return tag.length === 3 && locale.language.length === 2 ? undefined : locale;
}

const NAME_OPTIONS = { type: 'language', languageDisplay: 'standard', fallback: 'none' } as const;
/** Created when it is first needed, because that takes long. */
let englishNames: Intl.DisplayNames | undefined;

/** @returns the English name of a tag, normalized, such as "english (canada)"; undefined if it has none */
function getEnglishName(tag: string): string | undefined {
	englishNames ??= new Intl.DisplayNames('en', NAME_OPTIONS);
	const name = englishNames.of(tag);
	return name === undefined ? undefined : normalize(name);
}

/** @returns the names of a language in English and in itself, with and without its region */
function listNames({ baseName, language }: Intl.Locale): string[] {
	// A language that someone invented has no names: creating a list of them would take long for nothing.
	if (getEnglishName(language) === undefined) return [];
	// Most that is called Norwegian is Bokmål.
	const codes = language === 'nb' ? [baseName, language, 'no'] : [baseName, language];
	const ownNames = new Intl.DisplayNames(baseName, NAME_OPTIONS);
	return codes.flatMap((code) =>
		filterTexts(getEnglishName(code), normalize(ownNames.of(code) ?? '')),
	);
}

function createLanguage(name: string, code: string): Language {
	const names = [name, code, name.split(/[(（]/)[0]!].map(normalize).filter(Boolean);
	const tag = parseTag(code) ?? parseTag(name);
	if (!tag) return { tags: [], names };
	const { baseName: fullTag, language, script, region = '' } = tag.maximize();
	const written = `${language}-${script}`;
	const tags = [language, written, `${written}-${region}`, fullTag];
	// The Spanish of the Americas: not that of Spain and of Equatorial Guinea.
	if (language === 'es' && !['ES', 'GQ'].includes(region)) tags.push('es-Latn-419');
	return {
		tags,
		fullTag,
		likelyTag: new Intl.Locale(language).maximize().baseName,
		wantedTag: tag.region ? fullTag : tag.baseName,
		names: [...listNames(tag), ...names],
		regionalName: region && getEnglishName(`${language}-${region}`),
	};
}

/** By name and code, because the languages of all voices are few. */
const known = new Map<string, Language>();
/** Users may ask for any text as a language. */
const MAX_KNOWN = 2_000;

function toLanguage(name: string, code = ''): Language {
	const key = `${code}\0${name}`;
	const language = known.get(key) ?? createLanguage(name, code);
	if (known.size > MAX_KNOWN) known.clear();
	known.set(key, language);
	return language;
}

/** The languages of each voice, because every item of a run asks for them. */
const spoken = new WeakMap<IDataObject, Language[]>();

/** A voice that speaks more than a hundred languages is a mistake, and comparing them takes long. */
const MAX_LANGUAGES = 100;

function listLanguages(voice: IDataObject): Language[] {
	const listed = spoken.get(voice);
	if (listed) return listed;
	const main = toText(voice.language);
	// The service lists the main language again by its name, which says less than its code.
	const others = filterTexts(voice.languageCodes).filter((name) => name !== main);
	const names = others.slice(0, MAX_LANGUAGES).map((name) => toLanguage(name));
	const languages = [toLanguage(main, toText(voice.languageCode)), ...names];
	spoken.set(voice, languages);
	return languages;
}

function isLanguage({ tags, names }: Language, wanted: Language): boolean {
	const { wantedTag } = wanted;
	if (wantedTag && tags.length > 0) return tags.includes(wantedTag);
	return names.includes(wanted.names[0]!);
}

/** @returns whether a language is that of the region which is likely if a user states none */
function isOfLikelyRegion({ fullTag, likelyTag, names }: Language, wanted: Language): boolean {
	if (fullTag === undefined) return names[0] === wanted.regionalName;
	return fullTag === (wanted.fullTag ?? likelyTag);
}

/** @returns whether a tag or a name stands for any language that a voice speaks */
export function speaks(voice: IDataObject, text: string): boolean {
	const wanted = toLanguage(text);
	return listLanguages(voice).some((language) => isLanguage(language, wanted));
}

/** @returns the same, for a text without a region as if it had the likely one: "en" is "en-US" */
export function speaksLikely(voice: IDataObject, text: string): boolean {
	const wanted = toLanguage(text);
	return listLanguages(voice).some(
		(language) => isLanguage(language, wanted) && isOfLikelyRegion(language, wanted),
	);
}

/**
 * @returns the language codes of voices that share words with the name of a language which no voice
 *   speaks, those that share most first: for "British English" "en-GB", then "en-AU"
 */
export function listNearestCodes(voices: IDataObject[], text: string): string[] {
	// These have names such as "British English".
	const dialects = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
	const wanted = toWords(text);
	const byCode = new Map(voices.map((voice) => [toText(voice.languageCode), voice]));
	byCode.delete('');
	const scores = new Map<string, number>();
	for (const [code, voice] of byCode) {
		const tag = parseTag(code)?.baseName;
		const [{ names }] = listLanguages(voice) as [Language];
		const words = toWords([...names, (tag && dialects.of(tag)) ?? ''].join(' '));
		const shared = wanted.filter((part) => words.some((word) => isSameWord(word, part)));
		if (shared.length > 0) scores.set(code, shared.length);
	}
	return [...scores.keys()].sort().sort((one, other) => scores.get(other)! - scores.get(one)!);
}

/** A word may be cut short, unless it is as short as a code. */
function isSameWord(word: string, wanted: string): boolean {
	return word === wanted || (wanted.length > 3 && word.startsWith(wanted));
}
