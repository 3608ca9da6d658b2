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
 * @returns whether the voice matches every filter
 * @throws UserError if the language is too long to be one
 */
export function matchesVoiceFilters(voice: IDataObject, filters: VoiceFilters): boolean {
	const { gender, languageCode, provider, neural } = filters;
	return (
		equals(voice.gender, gender) &&
		equals(voice.provider, provider) &&
		(neural === undefined || (voice.isNeural === true) === neural) &&
		(languageCode === undefined || speaksLanguage(voice, languageCode))
	);
}

/** @returns whether a text, such as By Language accepts it, describes the voice */
export function speaksLanguage(voice: IDataObject, text: string): boolean {
	assertShort(text);
	return createVoiceMatcher()(voice, toPhrase(text)) < Infinity;
}

function equals(value: unknown, wanted: string | undefined): boolean {
	return wanted === undefined || normalize(toText(value)) === normalize(wanted);
}
