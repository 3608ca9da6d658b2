import type { IDataObject } from 'n8n-workflow';

import { getKindForExtension } from '../../transport/response/mediaTypes';

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
