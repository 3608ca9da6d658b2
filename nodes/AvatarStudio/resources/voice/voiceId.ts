import type { Field } from '../../execution/parameters';

import { ADVICE, findVoice } from './findVoice';

export const voiceId: Field = {
	displayName: 'Voice',
	name: 'voiceId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description:
		'The voice that speaks the script. Its language should be that of the script. In the list, the icon beside a voice plays its sample, if it has a public one.',
	findBy: findVoice,
	unknownValueHint: ADVICE,
	builderHint: {
		propertyHint:
			'If the user names a voice, use the mode "name", as in "Ryan" or "Ryan, en-GB"; if only the language is known, the mode "language", as in "en-GB" or "en-GB, female". The mode "id" takes the voiceId of Voice: Get Many.',
	},
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
			hint: 'The voiceId that Voice: Get Many returns. A text that is no ID is taken as a name, or else as a language.',
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. Ryan, en-GB',
			hint: 'A name, with a language, gender or provider after a comma if several voices share it. If it does not match exactly one voice, the item fails.',
		},
		{
			displayName: 'Language',
			name: 'language',
			type: 'string',
			placeholder: 'e.g. en-GB, female',
			hint: 'A language code or name, with a gender or provider after a comma if you like. Uses the first neural voice by name, or the first voice if none is neural.',
		},
	],
};
