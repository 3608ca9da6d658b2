import type { IDataObject } from 'n8n-workflow';

import { toLink } from '../../execution/link';
import type { Choice, Picker } from '../../execution/picker';
import { filterTexts } from '../texts';

import { searchVoices } from './search';
import { describeVoice } from './voice';

/** Offers the voices by language and label. All are shown at once, because they come in one response. */
export const voicePicker: Picker = {
	pageLength: Infinity,
	search: async function* (text, client) {
		const voices = await searchVoices(client, text);
		voices.sort((one, other) => getOrder(one).localeCompare(getOrder(other)));
		yield voices.map(toChoice);
	},
};

function toChoice(voice: IDataObject): Choice {
	const sample = toLink(voice.audioSampleUrl);
	// The editor saves the link of the voice that is selected, so it must not be a signed one.
	const isPublic = sample !== undefined && !/[?@]/.test(sample);
	return { ...describeVoice(voice), url: isPublic ? sample : undefined };
}

function getOrder(voice: IDataObject): string {
	return filterTexts(voice.language, voice.languageCode, describeVoice(voice).label).join(' ');
}
