import { buildNameContains } from '../filters';
import { getMany } from '../getMany';
import { operation } from '../operation';

import { avatarType } from './avatar';

export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many avatars',
	description: 'Get many avatars of the account, with a picture of each',
	route: 'GET /v1/avatars',
	...getMany(avatarType, [buildNameContains('avatars')]),
});
