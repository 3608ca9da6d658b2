import type { Field } from '../../transport/parameters';

import { findVoiceByLanguage, findVoiceByName } from './findVoice';

export const voiceId: Field = {
	displayName: 'Voice',
	name: 'voiceId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The voice that speaks the script. Its language should be that of the script.',
	findBy: { name: findVoiceByName, language: findVoiceByLanguage },
	unknownValueHint: 'Select a voice from the list, or get the IDs of voices with Voice: Get Many.',
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
			placeholder: 'e.g. au-en-GB-ryan',
			hint: 'The voiceId that Voice: Get Many returns',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '\\s*\\S+\\s*',
						errorMessage: 'A voice ID has no spaces. Use By Name to enter a name.',
					},
				},
			],
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. Ryan, en-GB',
			hint: 'A name, with a language if several voices share it. If it does not match exactly one voice, the item fails.',
		},
		{
			displayName: 'By Language',
			name: 'language',
			type: 'string',
			placeholder: 'e.g. en-GB',
			hint: 'Uses the first neural voice of the language by name, or the first voice if none is neural',
		},
	],
};
