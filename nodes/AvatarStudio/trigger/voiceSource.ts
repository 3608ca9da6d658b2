import type { IPollFunctions } from 'n8n-workflow';

import { Client } from '../client/client';
import { readParameters, type Field } from '../execution/parameters';
import { buildFilters } from '../resources/sharedFields';
import { simplify as simplifyField } from '../resources/voice/getAll';
import { simplifyVoice, voiceList } from '../resources/voice/voice';
import { createVoiceFilter, findFilterError, languageCode } from '../resources/voice/voiceFilters';

import type { RecordSource } from './recordSource';

const displayOptions = { show: { event: ['voiceAdded'] } };

export const voiceFilters: Field = {
	...buildFilters([
		{
			...languageCode,
			description:
				'Only trigger on voices with this language. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
	]),
	name: 'voiceFilters',
	displayOptions,
};

export const simplify: Field = { ...simplifyField, displayOptions };

/** Voices, as the trigger's parameters select them. */
export function createVoiceSource(context: IPollFunctions): RecordSource {
	const { values } = readParameters(context, [voiceFilters, simplifyField]);
	const filters = { languageCode: values.languageCode as string | undefined };
	const matchesFilters = createVoiceFilter(filters);
	const client = Client.forPoll(context);
	return {
		recordsName: voiceList.property,
		idField: 'voiceId',
		newestFirst: false,
		filters,
		fetchPages: () => client.pages(voiceList),
		findFilterError: (voices) => findFilterError(voices, filters),
		match: (voice) => (matchesFilters(voice) ? 'matching' : 'excluded'),
		toItem: async (voice) =>
			await Promise.resolve({ json: values.simplify === false ? voice : simplifyVoice(voice) }),
	};
}
