import type { IDataObject } from 'n8n-workflow';

import { encodePathSegment } from '../../client/encodePathSegment';
import type { ListEndpoint } from '../../client/list';
import type { Request } from '../../client/send';
import type { Choice } from '../../execution/field';
import { buildLocator, buildModes } from '../locator';
import type { RecordType } from '../recordType';
import { filterTexts, toText } from '../texts';

export const assetList: ListEndpoint = {
	url: '/v1/assets',
	property: 'assets',
	paging: { byNumber: (page, size) => ({ Page: page, PageSize: size }) },
};

/** Assets, for Get Many, names, the picker and messages. */
export const assetType: RecordType = {
	label: 'Asset',
	list: assetList,
	describe: describeAsset,
	listSearched: ({ extension, type }) => [extension, type],
	createRequest: createAssetRequest,
};

/** @throws UserError if the ID of a listed asset cannot be part of a URL */
export function createAssetRequest({ id }: IDataObject, defaultTimeout?: number): Request {
	return { method: 'GET', url: `${assetList.url}/${encodePathSegment(id)}`, defaultTimeout };
}

/** @returns the ID of an asset, and "Portrait · png": its name, and its type or else its extension */
function describeAsset({ name, extension, type, id }: IDataObject): Choice {
	const [title] = filterTexts(name, id);
	const [format] = filterTexts(type, extension);
	return { id: toText(id), label: filterTexts(title, format?.replace(/^\./, '')).join(' · ') };
}

export const assetId = buildLocator(assetType, {
	description: 'The asset that the operation applies to. Its ID or its exact name will do.',
	...buildModes(assetType, 'Spring campaign intro'),
});
