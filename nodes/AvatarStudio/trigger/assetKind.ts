import type { IDataObject } from 'n8n-workflow';

import { getKindForExtension } from '../transport/response/mediaTypes';

/**
 * The kind of an asset: its `type` where the list tells one (not shown, specification section
 * 2.1), else what its extension says.
 *
 * @returns 'audio', 'image', 'music', 'video', another word of the service's, or undefined
 */
export function getAssetKind({ type, extension }: IDataObject): string | undefined {
	if (typeof type === 'string' && type !== '') return type.toLowerCase();
	return typeof extension === 'string' ? getKindForExtension(extension) : undefined;
}
