import type { IDataObject, ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { fetchRecords } from '../client/list';
import type { Choice } from '../execution/field';
import { filterTexts, toText } from '../resources/texts';
import { parseTag } from '../resources/voice/languages';
import { voiceList } from '../resources/voice/voice';

import { fetchForEditor, toEntries } from './pickers';

export async function getVoiceLanguages(this: ILoadOptionsFunctions) {
	const names = new Intl.DisplayNames('en', { type: 'language' });
	return await loadOptions(this, ({ language, languageCode }) => {
		const [id = '', label = id] = filterTexts(languageCode, language);
		const tag = parseTag(id);
		// "English (United Kingdom)" comes with "English", which stands for all regions.
		const allRegions = tag ? [{ id: tag.language, label: names.of(tag.language)! }] : [];
		return [...allRegions, { id, label }];
	});
}

export async function getVoiceProviders(this: ILoadOptionsFunctions) {
	return await loadOptions(this, ({ provider }) => {
		return [{ id: toText(provider), label: toText(provider) }];
	});
}

/** @returns the options of all voices, after "Any", which is what a filter holds when it is added */
async function loadOptions(
	context: ILoadOptionsFunctions,
	listOptions: (voice: IDataObject) => Choice[],
): Promise<INodePropertyOptions[]> {
	const voices = await fetchForEditor(context, (client) => fetchRecords(client, voiceList));
	const options = toEntries(voices.flatMap(listOptions));
	options.sort((one, other) => one.name.localeCompare(other.name));
	return [{ name: 'Any', value: '' }, ...options];
}
