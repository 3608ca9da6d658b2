import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../../execution/parameters';
import { assertShort } from '../names';
import { normalize, toPhrase, toText } from '../phrase';

import { createVoiceMatcher } from './findVoices';

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
export function createVoiceFilter(filters: VoiceFilters): (voice: IDataObject) => boolean {
	const { gender, languageCode, provider, neural } = filters;
	const speaksLanguage =
		languageCode === undefined ? undefined : createLanguageFilter(languageCode);
	return (voice) =>
		equals(voice.gender, gender) &&
		equals(voice.provider, provider) &&
		(neural === undefined || (voice.isNeural === true) === neural) &&
		(speaksLanguage?.(voice) ?? true);
}

/**
 * Creates the function that says whether a text, such as Language accepts it, describes a voice.
 *
 * @throws UserError if the text is too long
 */
export function createLanguageFilter(text: string): (voice: IDataObject) => boolean {
	assertShort(text);
	const phrase = toPhrase(text);
	const match = createVoiceMatcher();
	return (voice) => match(voice, phrase) < Infinity;
}

function equals(value: unknown, wanted: string | undefined): boolean {
	if (wanted === undefined) return true;
	assertShort(wanted);
	return normalize(toText(value)) === normalize(wanted);
}
