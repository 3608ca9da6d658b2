import type { IDataObject } from 'n8n-workflow';

import { listFirst, quote, shorten } from '../../errors/formatText';
import { UserError } from '../../errors/userError';
import { buildNameContains, type RecordFilter } from '../filters';
import { filterTexts, normalize, toText } from '../texts';

import { listNearestCodes, speaks } from './languages';
import { loadLanguages, loadValues } from './voiceChoices';

interface VoiceFilter extends RecordFilter {
	matches: (voice: IDataObject, wanted: unknown) => boolean | undefined;
	/** Begins the error if no voice at all matches. */
	problem?: string;
	/** For that error: lists what comes near to the value, of what the voices have. */
	listNearest?: (voices: IDataObject[], wanted: string) => string[];
}

/** The filters of Get Many and of the trigger, in the order in which the editor lists them. */
export const VOICE_FILTERS: VoiceFilter[] = [
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
		matches: ({ gender }, wanted) => isSame(gender, wanted),
		problem: 'No voice has the gender',
	},
	{
		field: {
			displayName: 'Language Name or ID',
			name: 'languageCode',
			type: 'options',
			typeOptions: { loadOptionsMethod: 'getVoiceLanguages' },
			loadChoices: loadLanguages,
			default: '',
			description:
				'Only voices with this language, such as de, de-DE or German. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		matches: (voice, wanted) => speaks(voice, wanted as string),
		problem: 'No voice speaks the language',
		listNearest: listNearestCodes,
	},
	buildNameContains('voices'),
	{
		field: {
			displayName: 'Neural',
			name: 'neural',
			type: 'boolean',
			default: true,
			description: 'Whether to return only neural voices, or only voices that are not neural',
		},
		matches: ({ isNeural }, wanted) => (isNeural === true) === wanted,
	},
	{
		field: {
			displayName: 'Provider Name or ID',
			name: 'provider',
			type: 'options',
			typeOptions: { loadOptionsMethod: 'getVoiceProviders' },
			loadChoices: loadValues('provider'),
			default: '',
			description:
				'Only voices of this provider. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
		matches: ({ provider }, wanted) => isSame(provider, wanted),
		problem: 'No voice has the provider',
	},
];

function isSame(value: unknown, wanted: unknown): boolean {
	return normalize(toText(value)) === normalize(toText(wanted));
}

/** @throws UserError if there is a filter that no voice of the whole list matches, with what there is */
export function assertMatches(voices: IDataObject[], parameters: IDataObject): void {
	for (const { field, matches, problem, listNearest } of VOICE_FILTERS) {
		const wanted = toText(parameters[field.name]);
		const isSet = problem !== undefined && wanted !== '';
		if (!isSet || voices.some((voice) => matches(voice, wanted))) continue;
		const nearest = listNearest?.(voices, wanted) ?? [];
		const values = filterTexts(voices.map((voice) => voice[field.name])).sort();
		const listed = nearest.length > 0 ? nearest : [...new Set(values)];
		throw new UserError(
			`${problem} ${quote(wanted)}`,
			`There is ${listFirst(listed, shorten) || 'none'}. Voice: Get Many lists all voices.`,
		);
	}
}
