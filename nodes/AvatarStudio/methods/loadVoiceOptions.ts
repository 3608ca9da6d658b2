import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { Caller } from '../client/limiter/caller';
import { fetchRecords } from '../client/pagination/list';
import { filterStrings } from '../resources/search';
import { voiceList } from '../resources/voice/voice';

import { withReadableErrors } from './withReadableErrors';

/** Lists the languages of the available voices. */
export async function getVoiceLanguages(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await loadDistinctOptions(this, ({ language, languageCode }) => [
		filterStrings(language, languageCode)[0],
		filterStrings(languageCode)[0],
	]);
}

/** Lists the providers of the available voices. */
export async function getVoiceProviders(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await loadDistinctOptions(this, ({ provider }) => {
		const [name] = filterStrings(provider);
		return [name, name];
	});
}

/**
 * Starts with an option that does not filter: it is what a filter holds when it is added.
 *
 * @param toOption returns the name and value for a voice; a voice that lacks either is skipped
 */
async function loadDistinctOptions(
	context: ILoadOptionsFunctions,
	toOption: (voice: IDataObject) => [name?: string, value?: string],
): Promise<INodePropertyOptions[]> {
	const voices = await withReadableErrors(
		context,
		async () => await fetchRecords(context, Caller.forUser(), voiceList),
	);
	const namesByValue = new Map<string, string>();
	for (const voice of voices) {
		const [name, value] = toOption(voice);
		if (name && value) namesByValue.set(value, name);
	}
	const options = [...namesByValue]
		.map(([value, name]) => ({ name, value }))
		.sort((one, other) => one.name.localeCompare(other.name));
	return [{ name: 'Any', value: '' }, ...options];
}
