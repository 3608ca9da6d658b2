import type { IDataObject } from 'n8n-workflow';

import type { ListEndpoint } from '../../client/list';
import { tryParseJson } from '../../client/response/json';
import { filterTexts } from '../phrase';

/** The list of voices, for Get Many, the list search and the trigger; it has no pages. */
export const voiceList: ListEndpoint = { url: '/v1/voices', property: 'voices' };

/** "ryan" is shown as "Ryan", in lists and in simplified data alike. */
function formatVoiceName(name: unknown): string | undefined {
	const [text] = filterTexts(name);
	return text?.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
}

/** "Ryan · English (United Kingdom) · male · neural", as far as known. */
export function formatVoiceLabel(voice: IDataObject): string {
	const { name, voiceId, language, languageCode, gender, isNeural } = voice;
	const [languageName] = filterTexts(language, languageCode);
	const title = formatVoiceName(name) ?? voiceId;
	const neural = isNeural === true ? 'neural' : '';
	return filterTexts(title, languageName, gender, neural).join(' · ');
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
		languageCodes: getLanguages(voice),
		provider,
		isNeural,
		audioSampleUrl: voice.audioSampleUrl,
	};
}

/** The list comes twice, once as JSON inside a string, which is decoded if it is the only one. */
export function getLanguages({
	languageCodes,
	languageCodesJson,
}: IDataObject): IDataObject[string] {
	if (Array.isArray(languageCodes) || typeof languageCodesJson !== 'string') return languageCodes;
	const decoded = tryParseJson(languageCodesJson);
	return Array.isArray(decoded) ? filterTexts(decoded) : languageCodes;
}
