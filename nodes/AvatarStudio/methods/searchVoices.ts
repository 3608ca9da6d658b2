import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { voiceList } from '../resources/voice/voiceList';
import { fetchRecords } from '../transport/pagination/list';
import { RateLimiter, INTERACTIVE_MAX_WAIT_MS } from '../transport/request/rateLimiter';

import { matchesSearch, withReadableErrors, nonEmptyStrings } from './search';

/**
 * The voices to pick from. What the service's own search does is not shown (specification,
 * section 4.2, note 2), so it is asked, and the text is looked for here as well; a voice either
 * finds is offered.
 *
 * @param search what the person typed into the list
 */
export async function searchVoices(
	this: ILoadOptionsFunctions,
	search?: string,
): Promise<INodeListSearchResult> {
	const [all, answered] = await withReadableErrors(this, async () => {
		const gate = new RateLimiter(INTERACTIVE_MAX_WAIT_MS);
		return await Promise.all([
			fetchRecords(this, gate, voiceList),
			search ? fetchRecords(this, gate, voiceList, { qs: { query: search } }) : [],
		]);
	});
	const byText = all.filter((voice) => matchesSearch(getSearchText(voice), search ?? ''));
	// A service that leaves the search aside answers with every voice; that says nothing.
	const byService = answered.length < all.length ? answered : [];
	const offered = new Map([...byText, ...byService].map((voice) => [voice.voiceId, voice]));
	offered.delete(undefined);
	return {
		results: sortByName(
			[...offered].map(([voiceId, voice]) => ({
				name: formatLabel(voice),
				value: voiceId as string,
			})),
		),
	};
}

/** "Ryan · English (United Kingdom) · male · neural", of what is there. */
function formatLabel(voice: IDataObject): string {
	const { name, voiceId, language, languageCode, gender } = voice;
	const [called = ''] = nonEmptyStrings(name, voiceId);
	const capital = called.replace(/^\p{L}/u, (letter) => letter.toUpperCase());
	const spoken = nonEmptyStrings(language, languageCode).slice(0, 1);
	return nonEmptyStrings(capital, spoken, gender, describeNeural(voice)).join(' · ');
}

/** The languages of the voices there are, for the filter. */
export async function getVoiceLanguages(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await loadDistinctOptions(this, ({ language, languageCode }) => [
		nonEmptyStrings(language, languageCode)[0],
		nonEmptyStrings(languageCode)[0],
	]);
}

/** The providers of the voices there are, for the filter. */
export async function getVoiceProviders(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await loadDistinctOptions(this, ({ provider }) => [
		nonEmptyStrings(provider)[0],
		nonEmptyStrings(provider)[0],
	]);
}

/** @param optionOf makes name and value of a voice; one that lacks either offers nothing */
async function loadDistinctOptions(
	context: ILoadOptionsFunctions,
	optionOf: (voice: IDataObject) => [name?: string, value?: string],
): Promise<INodePropertyOptions[]> {
	const voices = await withReadableErrors(
		context,
		async () => await fetchRecords(context, new RateLimiter(INTERACTIVE_MAX_WAIT_MS), voiceList),
	);
	const names = new Map<string, string>();
	for (const voice of voices) {
		const [name, value] = optionOf(voice);
		if (name && value) names.set(value, name);
	}
	return sortByName([...names].map(([value, name]) => ({ name, value })));
}

function sortByName<T extends { name: string }>(options: T[]): T[] {
	return options.sort((one, other) => one.name.localeCompare(other.name));
}

function getSearchText(voice: IDataObject): string {
	const { name, language, languageCode, languageCodes, gender, provider, voiceId } = voice;
	const said = [name, language, languageCode, languageCodes, gender, provider, voiceId];
	return nonEmptyStrings(...said, describeNeural(voice)).join(' ');
}

function describeNeural({ isNeural }: IDataObject): string {
	return isNeural === true ? 'neural' : '';
}
