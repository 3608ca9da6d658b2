import type { IDataObject } from 'n8n-workflow';

import { UserError } from '../../errors/userError';
import { listFirst, quote, shorten } from '../../errors/values';
import type { Field } from '../../execution/parameters';
import { buildFilters } from '../sharedFields';
import { assertShort, compareTexts, filterTexts, normalize, toText } from '../texts';

import { parseTag, speaks } from './languages';

/** A filter of voices: all it takes to add one is an entry of the list below. */
interface VoiceFilter {
	field: Field;
	matches: (voice: IDataObject, wanted: string) => boolean;
	problem?: string;
}

/** The filters as the user set them, by name; a missing one matches every voice. */
export type VoiceFilters = Record<string, unknown>;

export const languageCode: Field = {
	displayName: 'Language Name or ID',
	name: 'languageCode',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getVoiceLanguages' },
	default: '',
	description:
		'Only voices with this language. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/** In the order in which the editor lists them. */
const VOICE_FILTERS: VoiceFilter[] = [
	{
		field: {
			displayName: 'Gender',
			name: 'gender',
			type: 'options',
			options: [
				{ name: 'Female', value: 'female' },
				{ name: 'Male', value: 'male' },
			],
			default: 'female',
			description: 'Only voices with this gender',
		},
		matches: (voice, wanted) => isEqual(voice.gender, wanted),
		problem: 'No voice has the gender',
	},
	{ field: languageCode, matches: speaks, problem: 'No voice speaks the language' },
	{
		field: {
			displayName: 'Neural',
			name: 'neural',
			type: 'boolean',
			default: true,
			description: 'Whether to return only neural voices, or only voices that are not neural',
		},
		matches: (voice, wanted) => String(voice.isNeural === true) === wanted,
	},
	{
		field: {
			displayName: 'Provider Name or ID',
			name: 'provider',
			type: 'options',
			typeOptions: { loadOptionsMethod: 'getVoiceProviders' },
			default: '',
			description:
				'Only voices of this provider. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		matches: (voice, wanted) => isEqual(voice.provider, wanted),
		problem: 'No voice has the provider',
	},
];

export const filters = buildFilters(VOICE_FILTERS.map(({ field }) => field));

export function isEqual(value: unknown, wanted: string): boolean {
	return normalize(toText(value)) === normalize(wanted);
}

function listFilters(wanted: VoiceFilters) {
	return VOICE_FILTERS.flatMap((filter) => {
		const value = wanted[filter.field.name] as string | boolean | undefined;
		return value === undefined ? [] : [{ ...filter, text: String(value) }];
	});
}

/**
 * Creates the function that says whether a voice matches every filter.
 *
 * @throws UserError if a text is too long to be compared
 */
export function createVoiceFilter(wanted: VoiceFilters): (voice: IDataObject) => boolean {
	const set = listFilters(wanted);
	for (const { text } of set) assertShort(text);
	return (voice) => set.every(({ matches, text }) => matches(voice, text));
}

/** @returns what is wrong with a filter that no voice of the whole list can match */
export function findFilterError(voices: IDataObject[], wanted: VoiceFilters) {
	for (const { field, matches, problem, text } of listFilters(wanted)) {
		if (!problem || voices.some((voice) => matches(voice, text))) continue;
		const values = [...new Set(filterTexts(voices.map((voice) => voice[field.name])))];
		const language = parseTag(text)?.language ?? text.split(/[(（]/)[0]!;
		const related = values.filter((value) => speaks({ languageCode: value }, language));
		const listed = related.length > 0 ? related : values;
		return new UserError(
			`${problem} ${quote(text)}`,
			listed.length > 0
				? `There is ${listFirst(listed.sort(compareTexts), shorten)}. Voice: Get Many lists all voices.`
				: 'There is none with any.',
		);
	}
	return undefined;
}
