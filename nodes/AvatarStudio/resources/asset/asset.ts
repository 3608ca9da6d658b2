import type { IDataObject } from 'n8n-workflow';

import type { ListEndpoint } from '../../client/list';
import { getKindForExtension } from '../../client/response/mediaTypes';
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
export function formatAssetLabel({ name, extension, type, id }: IDataObject): string {
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

/**
 * @returns the asset's `type` in lower case if the list has one (not documented:
 *   docs/assumptions.md), else the kind its extension stands for: 'audio', 'image' or 'video';
 *   undefined if neither is known
 */
export function getAssetKind(asset: IDataObject): string | undefined {
	const { extension } = asset;
	if (hasType(asset)) return asset.type.toLowerCase();
	return typeof extension === 'string' ? getKindForExtension(extension) : undefined;
}

/** @returns whether the service states the asset's type, rather than null or an empty text */
export function hasType(asset: IDataObject): asset is IDataObject & { type: string } {
	return typeof asset.type === 'string' && asset.type !== '';
}
