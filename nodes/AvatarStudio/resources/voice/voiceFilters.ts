import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../../execution/parameters';

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

/** @returns whether the voice matches every filter, ignoring case */
export function matchesVoiceFilters(voice: IDataObject, filters: VoiceFilters): boolean {
	return (
		equalsIgnoringCase(voice.gender, filters.gender) &&
		equalsIgnoringCase(voice.languageCode, filters.languageCode) &&
		equalsIgnoringCase(voice.provider, filters.provider) &&
		(filters.neural === undefined || (voice.isNeural === true) === filters.neural)
	);
}

function equalsIgnoringCase(value: unknown, wanted: string | undefined): boolean {
	return wanted === undefined || String(value).toLowerCase() === wanted.trim().toLowerCase();
}
