import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { assetList } from '../resources/asset/assetList';
import { toPageOptions } from '../resources/asset/pageFields';
import { fetchPages } from '../transport/pagination/list';
import { RateLimiter, INTERACTIVE_MAX_WAIT_MS } from '../transport/request/rateLimiter';

import { matchesSearch, withReadableErrors, nonEmptyStrings } from './search';

/** How many assets the list shows before a person has to scroll for more. */
const PAGE_LENGTH = 50;

/**
 * The assets to pick from. The service cannot search them, so the text is looked for here,
 * through as many pages as it takes to fill the list.
 *
 * @param search what the person typed into the list
 * @param shownAlready how many the list shows already, as text; n8n hands it back from the last call
 */
export async function searchAssets(
	this: ILoadOptionsFunctions,
	search = '',
	shownAlready = '0',
): Promise<INodeListSearchResult> {
	const from = Number(shownAlready);
	const wanted = from + PAGE_LENGTH;
	const matching: IDataObject[] = [];
	await withReadableErrors(this, async () => {
		const chunks = fetchPages(
			this,
			new RateLimiter(INTERACTIVE_MAX_WAIT_MS),
			assetList,
			toPageOptions({}),
		);
		for await (const chunk of chunks) {
			matching.push(
				...chunk.filter((asset) => asset.id && matchesSearch(getSearchText(asset), search)),
			);
			if (matching.length > wanted) break;
		}
	});
	return {
		results: matching.slice(from, wanted).map((asset) => ({
			name: formatLabel(asset),
			value: asset.id as string,
		})),
		paginationToken: matching.length > wanted ? String(wanted) : undefined,
	};
}

function getSearchText({ name, extension, type, id }: IDataObject): string {
	return nonEmptyStrings(name, extension, type, id).join(' ');
}

/** "Portrait · png"; the fields of a listed asset are not shown (specification, section 2.1). */
function formatLabel({ name, extension, type, id }: IDataObject): string {
	const called = nonEmptyStrings(name, id).slice(0, 1);
	const kind = nonEmptyStrings(type, extension).slice(0, 1);
	return nonEmptyStrings(
		called,
		kind.map((text) => text.replace(/^\./, '')),
	).join(' · ');
}
