import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { fetchRecords } from '../client/list';
import { parseTag } from '../resources/languages';
import { toText } from '../resources/phrase';
import { voiceList } from '../resources/voice/voice';
import { listLanguages } from '../resources/voice/voiceLanguage';

import { fetchForUser, toEntries } from './pickers';

/** Lists the languages of the available voices, with and without their regions. */
export async function getVoiceLanguages(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await loadOptions(this, (voices) => {
		const languages = listLanguages(voices);
		const names = new Intl.DisplayNames('en', { type: 'language' });
		const withoutRegion = [...languages.keys()].flatMap((value) => {
			const [language] = parseTag(value)?.split('-') ?? [];
			return language === undefined ? [] : [[language, names.of(language)!] as const];
		});
		return new Map([...withoutRegion, ...languages]);
	});
}

/** Lists the providers of the available voices. */
export async function getVoiceProviders(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await loadOptions(this, (voices) => {
		const providers = voices.map(({ provider }) => toText(provider));
		return new Map(providers.map((provider) => [provider, provider]));
	});
}

/**
 * Starts with an option that does not filter: it is what a filter holds when it is added.
 *
 * @param list returns the name of each option, by its value
 */
async function loadOptions(
	context: ILoadOptionsFunctions,
	list: (voices: IDataObject[]) => Map<string, string>,
): Promise<INodePropertyOptions[]> {
	const voices = await fetchForUser(
		context,
		async (client) => await fetchRecords(client, voiceList),
	);
	const options = toEntries([...list(voices)].map(([id, name]) => ({ id, labels: [name] })));
	return [
		{ name: 'Any', value: '' },
		...options.sort((one, other) => one.name.localeCompare(other.name)),
	];
}
