import { buildFilters } from '../resources/sharedFields';
import { simplify } from '../resources/voice/getAll';
import { simplifyVoice, voiceList } from '../resources/voice/voice';
import { createVoiceFilter, languageCode } from '../resources/voice/voiceFilters';

import type { TriggerEvent } from './event';

export const voiceAdded: TriggerEvent = {
	name: 'New Voice',
	value: 'voiceAdded',
	occurrence: 'a voice becomes available',
	fields: [buildFilters([languageCode]), simplify],
	createSource: (_client, parameters) => {
		const matchesFilters = createVoiceFilter(parameters);
		return {
			list: voiceList,
			idField: 'voiceId',
			toItem: (voice) => {
				if (!matchesFilters(voice)) return undefined;
				return { json: parameters.simplify === false ? voice : simplifyVoice(voice) };
			},
		};
	},
};
