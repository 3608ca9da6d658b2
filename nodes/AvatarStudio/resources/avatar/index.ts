import type { Resource } from '../operation';

import { getAll } from './getAll';

export const avatar: Resource = {
	option: { name: 'Avatar', value: 'avatar', description: 'Faces that can speak a script' },
	operations: [getAll],
};
