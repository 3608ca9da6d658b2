import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { fetchRecords } from '../client/list';
import { parseUrl } from '../client/parseUrl';
import { getReach } from '../client/reach';
import { isHttpUrl } from '../execution/formats';
import { filterTexts, toText } from '../resources/texts';
import { selectVoices } from '../resources/voice/getAll';
import { describeVoice, formatVoiceLabel, voiceList } from '../resources/voice/voice';

import { fetchForUser, toEntries } from './pickers';

/**
 * Lists the voices to choose from, by language and label.
 *
 * @param search what the user typed into the list
 */
export async function searchVoices(
	this: ILoadOptionsFunctions,
	search = '',
): Promise<INodeListSearchResult> {
	const [all, found] = await fetchForUser(
		this,
		async (client) =>
			await Promise.all([
				fetchRecords(client, voiceList),
				search ? fetchRecords(client, voiceList, { qs: { query: search } }) : [],
			]),
	);
	const voices = sortVoices(selectVoices(all, found, search));
	const samples = new Map(voices.map((voice) => [toText(voice.voiceId), voice.audioSampleUrl]));
	const results = toEntries(voices.map(describeVoice)).map((entry) => {
		const sample = samples.get(entry.value);
		return { ...entry, url: isPublicLink(sample) ? sample : undefined };
	});
	return { results };
}

/** The editor saves the link of the voice that is selected, so it must not be a signed one. */
function isPublicLink(value: unknown): value is string {
	if (!isHttpUrl(value)) return false;
	const { search, username, password } = parseUrl(value)!;
	return `${search}${username}${password}` === '' && getReach(value) === 2;
}

/** By language, and then by name. */
function sortVoices(voices: IDataObject[]): IDataObject[] {
	const sortable = voices.map((voice) => ({
		voice,
		text: filterTexts(voice.language, voice.languageCode, formatVoiceLabel(voice)).join(' '),
	}));
	sortable.sort((one, other) => one.text.localeCompare(other.text));
	return sortable.map(({ voice }) => voice);
}
