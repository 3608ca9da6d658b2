import type { IDataObject } from 'n8n-workflow';

import { fetchRecords } from '../../client/list';
import type { Choice, LoadChoices } from '../../execution/field';
import { filterTexts, toText } from '../texts';

import { parseTag } from './languageTag';
import { voiceList } from './voice';

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** Loads the languages of all voices, each with its regions and without. */
export const loadLanguages = buildLoader(listLanguages);

/** @returns what loads the values that the voices have in a field, such as `provider` */
export function loadValues(field: string): LoadChoices {
	return buildLoader((voice) => [{ id: toText(voice[field]), label: toText(voice[field]) }]);
}

function buildLoader(listChoices: (voice: IDataObject) => Choice[]): LoadChoices {
	return async (client) => (await fetchRecords(client, voiceList)).flatMap(listChoices);
}

function listLanguages({ language, languageCode }: IDataObject): Choice[] {
	const [id = '', label = id] = filterTexts(languageCode, language);
	const tag = parseTag(id);
	// "English (United Kingdom)" comes with "English", which stands for all regions.
	const allRegions = tag ? [{ id: tag.language, label: languageNames.of(tag.language)! }] : [];
	return [...allRegions, { id, label }];
}
