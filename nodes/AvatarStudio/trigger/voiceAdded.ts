import { createSelection } from '../resources/filters';
import { buildFilters } from '../resources/sharedFields';
import { simplify } from '../resources/voice/getAll';
import { formatVoice, voiceList } from '../resources/voice/voice';
import { VOICE_FILTERS } from '../resources/voice/voiceFilters';

import { NEW_RECORDS } from './change';
import type { TriggerEvent } from './event';

export const voiceAdded: TriggerEvent = {
	name: 'New Voice',
	value: 'voiceAdded',
	occurrence: 'a voice becomes available',
	fields: [buildFilters(VOICE_FILTERS), simplify],
	createSource: (_client, parameters) => {
		const selection = createSelection(VOICE_FILTERS, parameters);
		return {
			list: voiceList,
			idField: 'voiceId',
			change: NEW_RECORDS,
			// The list has all that is known of a voice.
			toItem: (voice) =>
				selection.matchesDetails(voice) ? { json: formatVoice(voice, parameters) } : undefined,
		};
	},
};
