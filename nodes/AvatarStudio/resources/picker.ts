import type { IDataObject } from 'n8n-workflow';

import { fetchPages } from '../client/list';
import type { Picker } from '../execution/picker';

import type { RecordType } from './recordType';
import { filterTexts, normalize, toText, toWords } from './texts';

/** Builds the picker of a list that the service cannot search: the node reads and searches it. */
export function buildPicker(type: RecordType): Picker {
	return {
		pageLength: 50,
		search: async function* (text, client) {
			const wanted = toWords(text);
			for await (const page of fetchPages(client, type.list)) {
				const found = page.filter((record) => matchesSearch(type, record, wanted));
				yield found.map(type.describe);
			}
		},
	};
}

/** Not every script puts blanks between words, so a word that is wanted may be anywhere in the name. */
function matchesSearch(type: RecordType, record: IDataObject, wanted: string[]): boolean {
	const name = normalize(toText(record.name));
	const searched = type.listSearched?.(record) ?? [];
	const words = toWords(filterTexts(...searched, type.describe(record).id).join(' '));
	return wanted.every((part) => name.includes(part) || words.some((word) => word.startsWith(part)));
}
