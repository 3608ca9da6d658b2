import type { Field } from '../../transport/parameters';

export const voiceId: Field = {
	displayName: 'Voice',
	name: 'voiceId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The voice that speaks the script',
	lookupHint: 'Select a voice from the list, or get the IDs of voices with Voice: Get Many.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a voice…',
			typeOptions: { searchListMethod: 'searchVoices', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. abc-en-GB-Ryan',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '\\s*\\S+\\s*',
						errorMessage: 'A voice ID has no spaces in it. Copy the voiceId of the voice.',
					},
				},
			],
		},
	],
};
