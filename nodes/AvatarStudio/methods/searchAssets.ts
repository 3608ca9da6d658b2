import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { fetchPages } from '../client/list';
import { assetList, describeAsset } from '../resources/asset/asset';
import type { Described } from '../resources/names';
import { filterTexts, normalize, toText, toWords } from '../resources/texts';

import { fetchForEditor, isSelectable, toEntries } from './pickers';

/** How many assets the list shows before the user has to scroll for more. */
const PAGE_LENGTH = 50;

/**
 * Lists the assets to choose from: the service cannot search them.
 *
 * @param paginationToken number of assets already shown, returned by the previous call
 */
export async function searchAssets(
	this: ILoadOptionsFunctions,
	search = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const end = Number(paginationToken) + PAGE_LENGTH;
	const words = toWords(search);
	const matching: Described[] = [];
	await fetchForEditor(this, async (client) => {
		for await (const page of fetchPages(client, assetList)) {
			for (const asset of page.filter((it) => matchesSearch(it, words)).map(describeAsset)) {
				if (isSelectable(asset)) matching.push(asset);
			}
			if (matching.length > end) break;
		}
	});
	const entries = toEntries(matching);
	return {
		results: entries.slice(end - PAGE_LENGTH, end),
		paginationToken: entries.length > end ? String(end) : undefined,
	};
}

/** Not every script puts spaces between words, so those of the name match anywhere. */
function matchesSearch({ name, extension, type, id }: IDataObject, search: string[]): boolean {
	const words = toWords(filterTexts(extension, type, id).join(' '));
	const title = normalize(toText(name));
	return search.every(
		(part) => title.includes(part) || words.some((word) => word.startsWith(part)),
	);
}
