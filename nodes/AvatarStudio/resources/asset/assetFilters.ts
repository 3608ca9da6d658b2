import type { IDataObject } from 'n8n-workflow';

import { getMediaKind } from '../../execution/mediaTypes';
import type { Field } from '../../execution/parameters';
import { assertShort, containsText, normalize, toText } from '../texts';

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
		'Only assets of these types. If the service sends no such type, the file extension decides, which does not tell music from other audio: Audio and Music then both include it. Assets of unknown type are included as well.',
};

export const nameContains: Field = {
	displayName: 'Name Contains',
	name: 'nameContains',
	type: 'string',
	default: '',
	placeholder: 'e.g. portrait',
	description:
		'Only assets with this text in their name, not case-sensitive; "Bar" also finds "Bär"',
};

/**
 * @returns whether an asset matches the filters; undefined if it does not say its name or what it is.
 *   One requested by its ID has a name and an extension (`service/openapi.yaml`)
 * @throws UserError if the text is too long to be part of a name
 */
export function matchAsset(
	asset: IDataObject,
	{ kinds: wanted = [], nameContains: text = '' }: AssetFilters,
): boolean | undefined {
	assertShort(text);
	if (text !== '') {
		if ((asset.name ?? undefined) === undefined) return undefined;
		if (!containsText(toText(asset.name), text)) return false;
	}
	if (wanted.length === 0) return true;
	const possible = getKinds(asset);
	return possible?.some((kind) => wanted.includes(kind));
}

/**
 * @returns what an asset may be, by its type or else its extension: 'other' if that is of no media
 *   file, undefined if it has none. The fields of a listed asset are not documented (docs/assumptions.md)
 */
function getKinds({ type, extension }: IDataObject): string[] | undefined {
	const stated = normalize(toText(type));
	if (/^(audio|image|music|video)$/.test(stated)) return [stated];
	const kind = getMediaKind(type) ?? getMediaKind(extension);
	// An extension does not distinguish music.
	if (kind === 'audio') return ['audio', 'music'];
	if (kind !== undefined) return [kind];
	return /\w/.test(toText(extension)) ? ['other'] : undefined;
}
