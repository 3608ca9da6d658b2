import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { fetchRecords } from '../client/list';
import { filterTexts, toText } from '../resources/texts';
import { parseTag } from '../resources/voice/languages';
import { voiceList } from '../resources/voice/voice';

import { fetchForUser, toEntries } from './pickers';

export async function getVoiceLanguages(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await loadOptions(this, (voices) => {
		const languages = new Map<string, string>();
		const plainNames = new Intl.DisplayNames('en', { type: 'language' });
		for (const { language, languageCode } of voices) {
			const [value = '', name = value] = filterTexts(languageCode, language);
			const plain = parseTag(value)?.language;
			if (plain !== undefined) languages.set(plain, plainNames.of(plain)!);
			languages.set(value, name);
		}
		return languages;
	});
}

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
	const voices = await fetchForUser(context, (client) => fetchRecords(client, voiceList));
	const options = toEntries([...list(voices)].map(([id, name]) => ({ id, label: name })));
	return [
		{ name: 'Any', value: '' },
		...options.sort((one, other) => one.name.localeCompare(other.name)),
	];
}
