import type { IDataObject } from 'n8n-workflow';

import type { ListEndpoint } from '../../client/list';
import type { Choice } from '../../execution/field';
import { toPublicLink } from '../../execution/link';
import type { RecordType } from '../recordType';
import { filterTexts, toText } from '../texts';

/** Public clients read this list (`service/openapi.yaml`, `listAvatars`); the specification has none. */
export const avatarList: ListEndpoint = {
	url: '/v1/avatars',
	property: 'avatars',
	paging: { byNumber: (page, size) => ({ Page: page, PageSize: size }) },
	isOptional: true,
};

/** Avatars, for Get Many, names, the picker and messages. */
export const avatarType: RecordType = {
	label: 'Avatar',
	list: avatarList,
	describe: describeAvatar,
};

/** @returns the ID of an avatar, its name or else its ID, and the link to its picture */
function describeAvatar({ id, name, menuImageUrl }: IDataObject): Choice {
	const [label = ''] = filterTexts(name, id);
	return { id: toText(id), label, url: toPublicLink(menuImageUrl) };
}
