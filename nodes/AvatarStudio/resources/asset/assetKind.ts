import type { IDataObject } from 'n8n-workflow';

import { getKindForExtension } from '../../transport/response/mediaTypes';

/**
 * @returns the asset's `type` in lower case if the list has one (not documented:
 *   docs/assumptions.md), else the kind its extension stands for: 'audio', 'image' or 'video';
 *   undefined if neither is known
 */
export function getAssetKind({ type, extension }: IDataObject): string | undefined {
	if (typeof type === 'string' && type !== '') return type.toLowerCase();
	return typeof extension === 'string' ? getKindForExtension(extension) : undefined;
}
