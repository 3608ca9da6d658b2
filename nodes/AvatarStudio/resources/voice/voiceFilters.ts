import type { IDataObject } from 'n8n-workflow';

import { UserError } from '../../errors/userError';
import { listFirst, quote, shorten } from '../../errors/values';
import type { Field } from '../../execution/parameters';
import { compareTexts, filterTexts, normalize, toPhrase, toText } from '../phrase';
import { assertShort } from '../search';

import { createLanguageError, findLanguage } from './voiceLanguage';

/** Filters on voices; a missing filter matches every voice. */
export interface VoiceFilters {
	gender?: string;
	languageCode?: string;
	provider?: string;
	neural?: boolean;
}

export const gender: Field = {
	displayName: 'Gender',
	name: 'gender',
	type: 'options',
	options: [
		{ name: 'Female', value: 'female' },
		{ name: 'Male', value: 'male' },
	],
	default: 'female',
	description: 'Return only voices with this gender',
};

export const languageCode: Field = {
	displayName: 'Language Name or ID',
	name: 'languageCode',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getVoiceLanguages' },
	default: '',
	description:
		'Return only voices with this language. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

export const neural: Field = {
	displayName: 'Neural',
	name: 'neural',
	type: 'boolean',
	default: true,
	description: 'Whether to return only neural voices, or only voices that are not neural',
};

export const provider: Field = {
	displayName: 'Provider Name or ID',
	name: 'provider',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getVoiceProviders' },
	default: '',
	description:
		'Return only voices of this provider. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/**
 * Creates the function that says whether a voice matches every filter.
 *
 * @throws UserError if a text is too long to be compared
 */
export function createVoiceFilter({ gender, provider, languageCode, neural }: VoiceFilters) {
	for (const text of filterTexts(gender, provider, languageCode)) assertShort(text);
	const language = languageCode && toPhrase(languageCode);
	const isEqual = (value: unknown, wanted?: string) =>
		wanted === undefined || normalize(toText(value)) === normalize(wanted);
	return (voice: IDataObject) =>
		isEqual(voice.gender, gender) &&
		isEqual(voice.provider, provider) &&
		(neural === undefined || (voice.isNeural === true) === neural) &&
		(language === undefined || findLanguage(voice, language) !== undefined);
}

/** @returns what is wrong with a filter that no voice of the whole list can match */
export function findFilterError(voices: IDataObject[], filters: VoiceFilters) {
	for (const field of ['gender', 'provider', 'languageCode'] as const) {
		const wanted = filters[field];
		if (wanted === undefined || voices.some(createVoiceFilter({ [field]: wanted }))) continue;
		if (field === 'languageCode') return createLanguageError(voices, wanted);
		const values = [...new Set(filterTexts(voices.map((voice) => voice[field])))];
		return new UserError(
			`No voice has the ${field} ${quote(wanted)}`,
			values.length > 0 ? `There is ${listFirst(values.sort(compareTexts), shorten)}.` : '',
		);
	}
	return undefined;
}
