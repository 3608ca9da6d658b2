import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { fetchRecords } from '../client/list';
import { toLink } from '../execution/link';
import { filterTexts, toText } from '../resources/texts';
import { selectVoices } from '../resources/voice/getAll';
import { describeVoice, voiceList } from '../resources/voice/voice';

import { fetchForEditor, toEntries } from './pickers';

/** Lists the voices to choose from, by language and label. */
export async function searchVoices(this: ILoadOptionsFunctions, search = '') {
	const [all, found] = await fetchForEditor(this, (client) =>
		Promise.all([
			fetchRecords(client, voiceList),
			search ? fetchRecords(client, voiceList, { qs: { query: search } }) : [],
		]),
	);
	const voices = selectVoices(all, found, search);
	voices.sort((one, other) => getOrder(one).localeCompare(getOrder(other)));
	const samples = new Map(voices.map((voice) => [toText(voice.voiceId), voice.audioSampleUrl]));
	const results = toEntries(voices.map(describeVoice)).map((entry) => {
		return { ...entry, url: toUnsignedLink(samples.get(entry.value)) };
	});
	return { results };
}

/** The editor saves the link of the voice that is selected, so it must not be a signed one. */
function toUnsignedLink(value: unknown): string | undefined {
	const link = toLink(value);
	const isUnsigned = link !== undefined && !/[?@]/.test(link);
	return isUnsigned ? link : undefined;
}

function getOrder(voice: IDataObject): string {
	return filterTexts(voice.language, voice.languageCode, describeVoice(voice).label).join(' ');
}
