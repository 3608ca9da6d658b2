import type { IDataObject } from 'n8n-workflow';

import { encodePathSegment } from '../../client/encodePathSegment';
import type { ListEndpoint } from '../../client/list';
import type { Request } from '../../client/send';
import type { Described } from '../names';
import { filterTexts, toText } from '../texts';

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
