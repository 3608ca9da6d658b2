import type { IDataObject } from 'n8n-workflow';

import { tryParseJson } from '../../transport/json';

/** Filters on voices; a missing filter matches every voice. */
export interface VoiceFilters {
	gender?: string;
	languageCode?: string;
	provider?: string;
	neural?: boolean;
}

/** @returns whether the voice matches every filter, ignoring case */
export function matchesFilters(voice: IDataObject, filters: VoiceFilters): boolean {
	const { gender, languageCode, provider, neural } = filters;
	return (
		equalsIgnoringCase(voice.gender, gender) &&
		equalsIgnoringCase(voice.languageCode, languageCode) &&
		equalsIgnoringCase(voice.provider, provider) &&
		(neural === undefined || (voice.isNeural === true) === neural)
	);
}

function equalsIgnoringCase(value: unknown, wanted: string | undefined): boolean {
	return wanted === undefined || String(value).toLowerCase() === wanted.trim().toLowerCase();
}

/** @returns the fields of a voice that users choose by (`service/openapi.yaml`, `Voice`) */
export function simplifyVoice(voice: IDataObject): IDataObject {
	const { voiceId, name, gender, language, languageCode, provider, isNeural } = voice;
	return {
		voiceId,
		name,
		gender,
		language,
		languageCode,
		languageCodes: getLanguages(voice),
		provider,
		isNeural,
	};
}

/** The list comes twice, once as JSON inside a string, which is decoded if it is the only one. */
function getLanguages({ languageCodes, languageCodesJson }: IDataObject): IDataObject[string] {
	if (Array.isArray(languageCodes) || typeof languageCodesJson !== 'string') return languageCodes;
	const decoded = tryParseJson(languageCodesJson);
	return Array.isArray(decoded) ? (decoded as string[]) : languageCodes;
}
