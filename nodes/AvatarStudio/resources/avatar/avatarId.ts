import { parseHttpUrl } from '../../client/parseUrl';
import { UserError } from '../../errors/userError';
import type { Field, FindId } from '../../execution/field';
import { HTTP_URL } from '../formats';
import { buildLocator, buildModes } from '../locator';
import { findById, findInList, findNamed } from '../names';

import { avatarType } from './avatar';

const { modes } = buildModes(avatarType, 'Anna');
const findAvatarById = findById(avatarType);
const findByName = findInList(avatarType, findNamed);

/** A URL is no ID, so it can only be that of a photo: a field dropped onto Avatar sets the mode By ID. */
const findIdOrPhoto: FindId = async (text, client) =>
	HTTP_URL.parse(text) ?? (await findAvatarById(text, client));

const readPhoto: FindId = async (text) => {
	const url = HTTP_URL.parse(text);
	if (url === undefined) throw new UserError('Avatar must be the URL of a photo', HTTP_URL.hint);
	return await Promise.resolve(url);
};

/** The avatar that speaks a script, by its ID. */
export const avatarId = buildLocator(avatarType, {
	description:
		'The avatar that speaks the script. Its ID or its exact name will do. In the list, the icon beside an avatar opens its picture, if it has a public one.',
	modes,
});

/** The same, or a photo that is to speak instead of an avatar. */
export const avatarOrPhoto: Field = buildLocator(avatarType, {
	description: `${avatarId.description} Or the URL of a photo to speak.`,
	findBy: { id: findIdOrPhoto, name: findByName, photo: readPhoto },
	modes: [
		...modes,
		{
			displayName: 'From Photo',
			name: 'photo',
			type: 'string',
			placeholder: 'e.g. https://example.com/portrait.jpg',
			hint: 'The URL of a photo to speak, instead of an avatar. It must be reachable from the internet.',
		},
	],
});

/** @returns whether what was chosen as an avatar is the URL of a photo */
export function isPhoto(text: unknown): boolean {
	return typeof text === 'string' && parseHttpUrl(text) !== undefined;
}
