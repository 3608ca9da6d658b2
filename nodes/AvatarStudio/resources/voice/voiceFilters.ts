import type { IDataObject } from 'n8n-workflow';

import { listFirst, quote, shorten } from '../../errors/formatText';
import { UserError } from '../../errors/userError';
import type { Field } from '../../execution/parameters';
import { buildFilters } from '../sharedFields';
import { assertShort, filterTexts, normalize, toText } from '../texts';

import { listNearestCodes, speaks } from './languages';

/** A filter of voices. To add one, add an entry to the table below. */
interface VoiceFilter {
	field: Field;
	matches: (voice: IDataObject, wanted: string) => boolean;
	/** Begins the error if no voice at all matches. */
	problem?: string;
	/** For that error: lists what comes near to the value, of what the voices have. */
	listNearest?: (voices: IDataObject[], wanted: string) => string[];
}

export const languageCode: Field = {
	displayName: 'Language Name or ID',
	name: 'languageCode',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getVoiceLanguages' },
	default: '',
	description:
		'Only voices with this language, such as de, de-DE or German. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

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
		matches: ({ gender }, wanted) => normalize(toText(gender)) === normalize(wanted),
		problem: 'No voice has the gender',
	},
	{
		field: languageCode,
		matches: speaks,
		problem: 'No voice speaks the language',
		listNearest: listNearestCodes,
	},
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
		matches: ({ provider }, wanted) => normalize(toText(provider)) === normalize(wanted),
		problem: 'No voice has the provider',
	},
];

export const filters = buildFilters(VOICE_FILTERS.map(({ field }) => field));

/** Creates the function that tests voices for every filter. Throws if a text is too long. */
export function createVoiceFilter(wanted: IDataObject): (voice: IDataObject) => boolean {
	const tests = VOICE_FILTERS.flatMap(({ field, matches }) => {
		const value = wanted[field.name] as string | boolean | undefined;
		return value === undefined ? [] : [{ text: String(value), matches }];
	});
	for (const { text } of tests) assertShort(text);
	return (voice) => tests.every(({ text, matches }) => matches(voice, text));
}

/** @throws UserError if there is a filter that no voice of the whole list can match */
export function assertMatches(voices: IDataObject[], wanted: IDataObject): void {
	for (const { field, matches, problem, listNearest } of VOICE_FILTERS) {
		const text = toText(wanted[field.name]);
		if (!problem || text === '' || voices.some((voice) => matches(voice, text))) continue;
		const nearest = listNearest?.(voices, text) ?? [];
		const values = [...new Set(filterTexts(voices.map((voice) => voice[field.name])))].sort();
		const listed = listFirst(nearest.length > 0 ? nearest : values, shorten) || 'none';
		throw new UserError(
			`${problem} ${quote(text)}`,
			`There is ${listed}. Voice: Get Many lists all voices.`,
		);
	}
}
