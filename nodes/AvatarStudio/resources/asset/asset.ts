import type { IDataObject } from 'n8n-workflow';

import type { ListEndpoint } from '../../client/list';
import { getMediaKind } from '../../execution/mediaTypes';
import type { Described } from '../names';
import { filterTexts, toText } from '../phrase';
import { voiceList } from '../voice/voice';

/** The list of assets, for Get Many, the list search and the trigger. */
export const assetList: ListEndpoint = {
	url: '/v1/assets',
	property: 'assets',
	getPageQuery: (page, size) => ({ Page: page, PageSize: size }),
	otherList: voiceList,
};

/** "Portrait · png"; the fields of a listed asset are not documented (docs/assumptions.md). */
function formatAssetLabel({ name, extension, type, id }: IDataObject): string {
	const [title] = filterTexts(name, id);
	const [kind] = filterTexts(type, extension);
	return filterTexts(title, kind?.replace(/^\./, '')).join(' · ');
}

/** What users know of an asset, for lists and messages. */
export function describeAsset(asset: IDataObject): Described {
	const { id, name, extension, type } = asset;
	return {
		id: toText(id),
		name: toText(name),
		labels: [formatAssetLabel(asset)],
		details: filterTexts(extension, type, id),
	};
}

const KINDS = ['audio', 'image', 'music', 'video'];

/**
 * @returns what an asset is: the kind that the service states, else the one that its type stands for
 *   as a MIME type, else the one of its extension, or 'other' if that is of no media file; undefined
 *   if it has none. The fields of a listed asset are not documented (docs/assumptions.md)
 */
export function getAssetKind(asset: IDataObject): string | undefined {
	const { type, extension } = asset;
	const isOther = /\w/.test(toText(extension));
	return getStatedKind(asset) ?? getMediaKind(type, extension) ?? (isOther ? 'other' : undefined);
}

/** @returns the asset's `type` in lower case, if it is one of the four kinds */
export function getStatedKind({ type }: IDataObject): string | undefined {
	return KINDS.find((kind) => kind === toText(type).trim().toLowerCase());
}
