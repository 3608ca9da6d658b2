import type { IDataObject } from 'n8n-workflow';

import type { ListEndpoint } from '../../client/list';
import { tryParseJson } from '../../client/response/json';
import type { Described } from '../names';
import { filterTexts, normalize, toText } from '../texts';

/** The list of voices, for Get Many, the list search and the trigger; it has no pages. */
export const voiceList: ListEndpoint = { url: '/v1/voices', property: 'voices' };

/** A service that names more for one voice is mistaken, and comparing them takes long. */
const MAX_LANGUAGES = 100;

/** "ryan" is shown as "Ryan", in lists and in simplified data alike. */
function formatVoiceName(name: unknown): string | undefined {
	const [text] = filterTexts(name);
	return text?.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
}

const formatNeural = ({ isNeural }: IDataObject) => (isNeural === true ? 'neural' : '');

/** "Ryan · English (United Kingdom) · male · neural", as far as known. */
export function formatVoiceLabel(voice: IDataObject): string {
	const { name, voiceId, language, languageCode, gender } = voice;
	const [languageName] = filterTexts(language, languageCode);
	const title = formatVoiceName(name) ?? voiceId;
	return filterTexts(title, languageName, gender, formatNeural(voice)).join(' · ');
}

/** @returns the fields of a voice that users choose by (`service/openapi.yaml`, `Voice`) */
export function simplifyVoice(voice: IDataObject): IDataObject {
	const { voiceId, name, gender, language, languageCode, provider, isNeural } = voice;
	return {
		voiceId,
		name: formatVoiceName(name) ?? name,
		gender,
		language,
		languageCode,
		languageCodes: decodeLanguageCodes(voice),
		provider,
		isNeural,
		audioSampleUrl: voice.audioSampleUrl,
	};
}

/** The list comes twice, once as JSON inside a string, which is decoded if it is the only one. */
function decodeLanguageCodes({ languageCodes, languageCodesJson }: IDataObject) {
	if (Array.isArray(languageCodes) || typeof languageCodesJson !== 'string') return languageCodes;
	const decoded = tryParseJson(languageCodesJson);
	return Array.isArray(decoded) ? filterTexts(decoded) : languageCodes;
}

/**
 * @returns the languages a voice speaks beside its main one, in any spelling. The service lists that
 *   one again by its name, which says less than its code: "Chinese (Cantonese, Simplified)" of "yue-CN"
 */
export function listFurtherLanguages(voice: IDataObject): string[] {
	const main = normalize(toText(voice.language));
	return filterTexts(decodeLanguageCodes(voice))
		.filter((other) => normalize(other) !== main)
		.slice(0, MAX_LANGUAGES);
}

export function describeVoice(voice: IDataObject): Described {
	return { id: toText(voice.voiceId), label: formatVoiceLabel(voice) };
}
