import type { IDataObject } from 'n8n-workflow';

import { tryParseJson } from '../../transport/errors/requestError';

/** What a person narrows the voices down by; a filter that is not there lets every voice pass. */
export interface VoiceFilters {
	gender?: string;
	languageCode?: string;
	provider?: string;
	neural?: boolean;
}

/** @returns whether the voice passes every filter; letters count alike in both cases */
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

/** @returns the fields of a voice that people choose by (specification, section 2.2) */
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

/** The list comes twice, once encoded as JSON in a string; where only that is there, it is decoded. */
function getLanguages({ languageCodes, languageCodesJson }: IDataObject): IDataObject[string] {
	if (Array.isArray(languageCodes) || typeof languageCodesJson !== 'string') return languageCodes;
	const decoded = tryParseJson(languageCodesJson);
	return Array.isArray(decoded) ? (decoded as string[]) : languageCodes;
}
