import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { assetList } from '../resources/asset/assetList';
import { pageOptions } from '../resources/asset/pageFields';
import { Gate, LITTLE_PATIENCE_MS } from '../transport/gate';
import { listPages } from '../transport/list';

import { found, picked, texts } from './picked';

/** How many assets the list shows before a person has to scroll for more. */
const SHOWN = 50;

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
	const wanted = from + SHOWN;
	const matching: IDataObject[] = [];
	await picked(this, async () => {
		const chunks = listPages(this, new Gate(LITTLE_PATIENCE_MS), assetList, pageOptions({}));
		for await (const chunk of chunks) {
			matching.push(...chunk.filter((asset) => asset.id && found(textOf(asset), search)));
			if (matching.length > wanted) break;
		}
	});
	return {
		results: matching.slice(from, wanted).map((asset) => ({
			name: labelOf(asset),
			value: asset.id as string,
		})),
		paginationToken: matching.length > wanted ? String(wanted) : undefined,
	};
}

function textOf({ name, extension, type, id }: IDataObject): string {
	return texts(name, extension, type, id).join(' ');
}

/** "Portrait · png"; the fields of a listed asset are not shown (specification, section 2.1). */
function labelOf({ name, extension, type, id }: IDataObject): string {
	const called = texts(name, id).slice(0, 1);
	const kind = texts(type, extension).slice(0, 1);
	return texts(
		called,
		kind.map((text) => text.replace(/^\./, '')),
	).join(' · ');
}
