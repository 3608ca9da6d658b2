import type { IDataObject } from 'n8n-workflow';

import { encodePathSegment } from '../../client/encodePathSegment';
import type { ListEndpoint } from '../../client/list';
import type { Request } from '../../client/send';
import { getMediaKind } from '../../execution/mediaTypes';
import type { Described } from '../names';
import { filterTexts, normalize, toText } from '../texts';

/** The list of assets, for Get Many, names, the list search and the trigger. */
export const assetList: ListEndpoint = {
	url: '/v1/assets',
	property: 'assets',
	getPageQuery: (page, size) => ({ Page: page, PageSize: size }),
};

/**
 * @returns the request for the details of a listed asset
 * @throws UserError if its ID cannot be part of a URL
 */
export function createAssetRequest(
	{ id }: IDataObject,
	options: Pick<Request, 'timeout'> = {},
): Request {
	return { method: 'GET', url: `${assetList.url}/${encodePathSegment(id)}`, ...options };
}

/**
 * What users know of an asset, for lists and messages: "Portrait · png". The fields of a listed asset
 * are not documented (docs/assumptions.md).
 */
export function describeAsset({ name, extension, type, id }: IDataObject): Described {
	const [title] = filterTexts(name, id);
	const [kind] = filterTexts(type, extension);
	return { id: toText(id), label: filterTexts(title, kind?.replace(/^\./, '')).join(' · ') };
}

const KINDS = ['audio', 'image', 'music', 'video'];

/**
 * @returns what an asset is: the kind that the service states, else the one that its type stands for
 *   as a MIME type, else the one of its extension, or 'other' if that is of no media file; undefined
 *   if it has none. The fields of a listed asset are not documented (docs/assumptions.md)
 */
export function getAssetKind({ type, extension }: IDataObject): string | undefined {
	const stated = normalize(toText(type));
	if (KINDS.includes(stated)) return stated;
	const kind = getMediaKind(type) ?? getMediaKind(extension);
	return kind ?? (/\w/.test(toText(extension)) ? 'other' : undefined);
}
