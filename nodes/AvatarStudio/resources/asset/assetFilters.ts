import type { IDataObject } from 'n8n-workflow';

import { encodePathSegment } from '../../client/encodePathSegment';
import { readRecord } from '../../client/response/response';
import type { ItemExecution } from '../../execution/itemExecution';
import type { Field } from '../../execution/parameters';
import { assertShort } from '../names';
import { normalize, toText } from '../phrase';

import { assetList, getAssetKind, getStatedKind } from './asset';

/** Filters on assets; a missing filter matches every asset. */
export interface AssetFilters {
	kinds?: string[];
	nameContains?: string;
}

export const kinds: Field = {
	displayName: 'Types',
	name: 'kinds',
	type: 'multiOptions',
	options: [
		{ name: 'Audio', value: 'audio' },
		{ name: 'Image', value: 'image' },
		{ name: 'Music', value: 'music' },
		{ name: 'Video', value: 'video' },
	],
	default: [],
	description:
		'Return only assets of these types. If the service sends no such type, the file extension decides, and music counts as audio. Assets of unknown type are returned as well.',
};

export const nameContains: Field = {
	displayName: 'Name Contains',
	name: 'nameContains',
	type: 'string',
	default: '',
	placeholder: 'e.g. portrait',
	description: 'Return only assets with this text in their name, not case-sensitive',
};

/** @returns whether the filters need the kind of an asset that does not state it */
export function needsKind(asset: IDataObject, { kinds: wanted }: AssetFilters): boolean {
	return (wanted?.length ?? 0) > 0 && getAssetKind(asset) === undefined;
}

/**
 * Adds the details of a listed asset that show its kind, if the filters need it: an asset requested
 * by its ID has an extension (`service/openapi.yaml`).
 *
 * @throws RequestError if the asset cannot be read; 404 if it was deleted since
 */
export async function fetchDetails(
	{ client, request }: ItemExecution,
	listed: IDataObject,
	filters: AssetFilters,
): Promise<IDataObject> {
	if (!needsKind(listed, filters)) return listed;
	const url = `${assetList.url}/${encodePathSegment(listed.id)}`;
	return { ...listed, ...(await client.request({ ...request, url, qs: undefined }, readRecord)) };
}

/**
 * @returns whether the asset matches every filter, as far as that is known: an asset of unknown kind
 *   is passed on rather than hidden
 * @throws UserError if the text is too long to be part of a name
 */
export function matchesAssetFilters(
	asset: IDataObject,
	{ kinds: wanted = [], nameContains: text = '' }: AssetFilters,
): boolean {
	assertShort(text);
	const kind = getAssetKind(asset);
	const mayBeMusic = kind === 'audio' && getStatedKind(asset) === undefined;
	const matchesKind =
		wanted.length === 0 ||
		kind === undefined ||
		wanted.includes(kind) ||
		(mayBeMusic && wanted.includes('music'));
	return matchesKind && normalize(toText(asset.name)).includes(normalize(text));
}
