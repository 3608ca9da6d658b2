import type { IDataObject } from 'n8n-workflow';

import { filterTexts, toText } from '../texts';

import { listEnglishNames, listNames, toNameKey } from './languageNames';
import { parseTag } from './languageTag';

/** A language as the service states it, or as a user asks for it. */
interface Language {
	/** All tags that stand for it: for de-DE "de", "de-Latn", "de-Latn-DE". Empty if only a name is known. */
	tags: string[];
	/** Its English names, own names and codes, as `toNameKey` returns them, with and without region. */
	names: string[];
	/** A user who asks for this language means all languages that have this tag. */
	wantedTag?: string;
	/** Its tag with script and region, the likely ones if none are stated. */
	fullTag?: string;
	/** The full tag that is likely if only the language is stated: for de-AT "de-Latn-DE". */
	likelyTag?: string;
	/** Its English names with its script, and the full tag that they make likely: for zh-HK "zh-Hant-TW". */
	ofScript?: { names: string[]; likelyTag: string };
	/** Its English name with its region, the likely one if none is stated. */
	regionalName?: string;
}

function createLanguage(name: string, code: string): Language {
	const nameWithoutRegion = name.split(/[(（]/)[0]!;
	const stated = [name, code, nameWithoutRegion].map(toNameKey).filter(Boolean);
	const tag = parseTag(code) ?? parseTag(name);
	if (!tag) return { tags: [], names: stated };
	const { baseName: fullTag, language, script, region } = tag.maximize();
	// Of a language that few write, neither the script nor the region may be known.
	const withScript = script ? `${language}-${script}` : language;
	const regional = region ? `${language}-${region}` : language;
	const tags = [language, withScript, `${withScript}-${region}`, fullTag];
	const furtherNames = [regional, withScript, fullTag];
	// The Spanish of the Americas: not that of Spain and of Equatorial Guinea.
	if (language === 'es' && !['ES', 'GQ'].includes(region!)) {
		tags.push('es-Latn-419');
		furtherNames.push('es-419');
	}
	// Intl takes "no" for a language of its own (findings/norwegian-has-no-alias).
	if (language === 'nb') furtherNames.push('no');
	return {
		tags,
		names: [...listNames(tag, furtherNames), ...stated].filter(Boolean),
		wantedTag: tag.region ? fullTag : tag.baseName,
		fullTag,
		likelyTag: maximize(language),
		ofScript: { names: listEnglishNames(withScript), likelyTag: maximize(withScript) },
		regionalName: region && listEnglishNames(regional)[0],
	};
}

/** @returns a tag with script and region, the likely ones if it states none */
function maximize(tag: string): string {
	return new Intl.Locale(tag).maximize().baseName;
}

/** Voices share a few languages, and each voice is compared with the same one, so each is created once. */
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

/** @returns the main language of a voice, then the others */
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

/** Tags are compared if both have one, because a name may be that of several languages. */
function isLanguage({ tags, names }: Language, wanted: Language): boolean {
	const { wantedTag } = wanted;
	if (wantedTag && tags.length > 0) return tags.includes(wantedTag);
	return names.includes(wanted.names[0] ?? '');
}

/** @returns whether a language is that of the region which is likely if a user states none */
function isOfLikelyRegion(language: Language, wanted: Language): boolean {
	const { fullTag, likelyTag, names, ofScript } = language;
	const [wantedName = ''] = wanted.names;
	if (fullTag === undefined) return names[0] === wanted.regionalName;
	// "Chinese (Traditional)" is written in Taiwan first, and "Chinese" in mainland China.
	const likely = ofScript?.names.includes(wantedName) ? ofScript.likelyTag : likelyTag;
	return fullTag === (wanted.fullTag ?? likely);
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
 *   speaks, those that share most first: for "Irish English" "en-AU", then "en-GB"
 */
export function listNearestCodes(voices: IDataObject[], text: string): string[] {
	const wanted = toNameKey(text).split(' ');
	const voicesByCode = new Map(voices.map((voice) => [toText(voice.languageCode), voice]));
	voicesByCode.delete('');
	const scores = [...voicesByCode.keys()].sort().map((code) => {
		const [main] = listLanguages(voicesByCode.get(code)!);
		const words = main!.names.join(' ').split(' ');
		const shared = wanted.filter((part) => words.some((word) => isSameWord(word, part)));
		return { code, score: shared.length };
	});
	const nearest = scores.filter(({ score }) => score > 0);
	nearest.sort((one, other) => other.score - one.score);
	return nearest.map(({ code }) => code);
}

/** A word may be cut short, unless it is as short as a code. */
function isSameWord(word: string, wanted: string): boolean {
	return word === wanted || (wanted.length > 3 && word.startsWith(wanted));
}
