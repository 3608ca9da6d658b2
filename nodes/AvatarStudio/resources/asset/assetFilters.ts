import type { IDataObject } from 'n8n-workflow';

import { getMediaKind } from '../../execution/mediaTypes';
import { buildNameContains, type RecordFilter } from '../filters';
import { normalize, toText } from '../texts';

/** The filters of Get Many and of the trigger, in the order in which the editor lists them. */
export const ASSET_FILTERS: RecordFilter[] = [
	buildNameContains('assets'),
	{
		field: {
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
		},
		matches: (asset, wanted) =>
			listPossibleTypes(asset)?.some((type) => (wanted as string[]).includes(type)),
		selectsUnknown: true,
	},
];

/**
 * @returns what an asset may be, by its type or else its extension: 'other' if that is of no media
 *   file, undefined if it has none. The fields of a listed asset are not documented (docs/assumptions.md)
 */
function listPossibleTypes({ type, extension }: IDataObject): string[] | undefined {
	const stated = normalize(toText(type));
	if (/^(audio|image|music|video)$/.test(stated)) return [stated];
	const kind = getMediaKind(type) ?? getMediaKind(extension);
	// An extension does not distinguish music.
	if (kind === 'audio') return ['audio', 'music'];
	if (kind !== undefined) return [kind];
	return /\w/.test(toText(extension)) ? ['other'] : undefined;
}
