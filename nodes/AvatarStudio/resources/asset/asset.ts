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

/** @throws UserError if the ID of a listed asset cannot be part of a URL */
export function createAssetRequest({ id }: IDataObject, timeout?: number): Request {
	return { method: 'GET', url: `${assetList.url}/${encodePathSegment(id)}`, timeout };
}

/** What users know of an asset, for lists and messages: "Portrait · png". */
export function describeAsset({ name, extension, type, id }: IDataObject): Described {
	const [title] = filterTexts(name, id);
	const [kind] = filterTexts(type, extension);
	return { id: toText(id), label: filterTexts(title, kind?.replace(/^\./, '')).join(' · ') };
}

const KINDS = ['audio', 'image', 'music', 'video'];

/**
 * @returns what an asset is, by its type or else its extension: 'other' if that is of no media file,
 *   undefined if it has none. The fields of a listed asset are not documented (docs/assumptions.md)
 */
export function getAssetKind({ type, extension }: IDataObject): string | undefined {
	const stated = normalize(toText(type));
	if (KINDS.includes(stated)) return stated;
	const kind = getMediaKind(type) ?? getMediaKind(extension);
	return kind ?? (/\w/.test(toText(extension)) ? 'other' : undefined);
}
