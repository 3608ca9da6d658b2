import type { IDataObject } from 'n8n-workflow';

import { parsed } from '../../transport/failure';

/** What a person narrows the voices down by; a filter that is not there lets every voice pass. */
export interface VoiceFilters {
	gender?: string;
	languageCode?: string;
	provider?: string;
	neural?: boolean;
}

/** @returns whether the voice passes every filter; letters count alike in both cases */
export function matches(voice: IDataObject, filters: VoiceFilters): boolean {
	const { gender, languageCode, provider, neural } = filters;
	return (
		alike(voice.gender, gender) &&
		alike(voice.languageCode, languageCode) &&
		alike(voice.provider, provider) &&
		(neural === undefined || (voice.isNeural === true) === neural)
	);
}

function alike(value: unknown, wanted: string | undefined): boolean {
	return wanted === undefined || String(value).toLowerCase() === wanted.trim().toLowerCase();
}

/** @returns the fields of a voice that people choose by (specification, section 2.2) */
export function simplified(voice: IDataObject): IDataObject {
	const { voiceId, name, gender, language, languageCode, provider, isNeural } = voice;
	return {
		voiceId,
		name,
		gender,
		language,
		languageCode,
		languageCodes: languagesOf(voice),
		provider,
		isNeural,
	};
}

/** The list comes twice, once encoded as JSON in a string; where only that is there, it is decoded. */
function languagesOf({ languageCodes, languageCodesJson }: IDataObject): IDataObject[string] {
	if (Array.isArray(languageCodes) || typeof languageCodesJson !== 'string') return languageCodes;
	const decoded = parsed(languageCodesJson);
	return Array.isArray(decoded) ? (decoded as string[]) : languageCodes;
}
