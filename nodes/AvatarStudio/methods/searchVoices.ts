import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { Caller } from '../client/limiter/caller';
import { fetchRecords } from '../client/pagination/list';
import { matchesSearch, filterStrings } from '../resources/search';
import { formatVoiceLabel, voiceList } from '../resources/voice/voice';

import { withReadableErrors } from './withReadableErrors';

/**
 * Lists the voices to choose from. What the service's own search matches is not documented
 * (docs/assumptions.md), so the list contains every voice that the service or this node matches.
 *
 * @param search what the user typed into the list
 */
export async function searchVoices(
	this: ILoadOptionsFunctions,
	search?: string,
): Promise<INodeListSearchResult> {
	const [all, found] = await withReadableErrors(this, async () => {
		const caller = Caller.forUser();
		return await Promise.all([
			fetchRecords(this, caller, voiceList),
			search ? fetchRecords(this, caller, voiceList, { qs: { query: search } }) : [],
		]);
	});
	const matchedHere = all.filter((voice) => matchesSearch(getSearchText(voice), search ?? ''));
	// A service that ignores the query responds with every voice, which matches nothing.
	const matchedByService = found.length < all.length ? found : [];
	const voices = new Map(
		[...matchedHere, ...matchedByService].map((voice) => [voice.voiceId, voice]),
	);
	voices.delete(undefined);
	const results = [...voices].map(([voiceId, voice]) => ({
		name: formatVoiceLabel(voice),
		value: voiceId as string,
		url: filterStrings(voice.audioSampleUrl)[0],
	}));
	return { results: results.sort((one, other) => one.name.localeCompare(other.name)) };
}

function getSearchText(voice: IDataObject): string {
	const { name, language, languageCode, languageCodes, gender, provider, voiceId } = voice;
	const fields = [name, language, languageCode, languageCodes, gender, provider, voiceId];
	return filterStrings(...fields, describeNeural(voice)).join(' ');
}

function describeNeural({ isNeural }: IDataObject): string {
	return isNeural === true ? 'neural' : '';
}
