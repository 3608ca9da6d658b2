import type { IDataObject } from 'n8n-workflow';

import { filterTexts, normalize, toText } from '../texts';

/** A language as the service states it, or as a user asks for it. */
interface Language {
	/** Its tag with the likely script and region, and those of which it is a part: "de", "de-Latn". */
	tags: string[];
	/** The one that a voice must have for a user who asks for this language. */
	wantedTag?: string;
	/** In English, in itself and as stated, with and without its region; a user asks for the first. */
	names: string[];
}

const TAG = /^(?!und\b)[a-z]{2,3}(-[a-z]{4})?(-[a-z]{2}|-\d{3})?(-[a-z\d]{5,8})?$/i;

/** @returns a language tag, `he-IL` for `IW_il`; undefined if the text is none */
export function parseTag(text: string): Intl.Locale | undefined {
	const tag = text.trim().replaceAll('_', '-').replace(/^no\b/i, 'nb');
	if (!TAG.test(tag)) return undefined;
	const locale = new Intl.Locale(tag);
	// "Ben", "Dan" and "Mar" are names, and languages that have a code of two letters.
	return tag.length === 3 && locale.language.length === 2 ? undefined : locale;
}

const OPTIONS = { type: 'language', languageDisplay: 'standard', fallback: 'none' } as const;
let english: Intl.DisplayNames | undefined;

/** In English and in itself. A list of names takes long to create, and none has an invented language. */
function listNames({ baseName, language }: Intl.Locale): string[] {
	const inEnglish = (english ??= new Intl.DisplayNames('en', OPTIONS));
	if (!inEnglish.of(language)) return [];
	// Most that is called Norwegian is Bokmål.
	const codes = language === 'nb' ? [baseName, language, 'no'] : [baseName, language];
	const own = new Intl.DisplayNames(baseName, OPTIONS);
	return codes.flatMap((code) => filterTexts(inEnglish.of(code), own.of(code)).map(normalize));
}

function createLanguage(name: string, code: string): Language {
	const names = [name, code, name.split(/[(（]/)[0]!].map(normalize).filter(Boolean);
	const tag = parseTag(code) ?? parseTag(name);
	if (!tag) return { tags: [], names };
	const likely = tag.maximize();
	const { language, script, region = '' } = likely;
	const written = `${language}-${script}`;
	const tags = [language, written, `${written}-${region}`, likely.baseName];
	// The Spanish of the Americas: not that of Spain and of Equatorial Guinea.
	if (language === 'es' && !['ES', 'GQ'].includes(region)) tags.push('es-Latn-419');
	const wantedTag = tag.region ? likely.baseName : tag.baseName;
	return { tags, wantedTag, names: [...listNames(tag), ...names] };
}

const known = new Map<string, Language>();

function toLanguage(name: string, code = ''): Language {
	const key = `${code}\0${name}`;
	const language = known.get(key) ?? createLanguage(name, code);
	if (known.size > 2_000) known.clear();
	known.set(key, language);
	return language;
}

const spoken = new WeakMap<IDataObject, Language[]>();

/** A service that names more than a hundred is mistaken, and comparing them takes long. */
function listLanguages(voice: IDataObject): Language[] {
	const listed = spoken.get(voice);
	if (listed) return listed;
	const main = toText(voice.language);
	// It lists the main one again by its name, which says less than its code.
	const others = filterTexts(voice.languageCodes).filter((name) => name !== main);
	const names = others.slice(0, 100).map((name) => toLanguage(name));
	const languages = [toLanguage(main, toText(voice.languageCode)), ...names];
	spoken.set(voice, languages);
	return languages;
}

/** @returns whether a tag or a name stands for any language that a voice speaks */
export function speaks(voice: IDataObject, text: string): boolean {
	const { wantedTag, names } = toLanguage(text);
	return listLanguages(voice).some((language) =>
		wantedTag && language.tags.length > 0
			? language.tags.includes(wantedTag)
			: language.names.includes(names[0]!),
	);
}
