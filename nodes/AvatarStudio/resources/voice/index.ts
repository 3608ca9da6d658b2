import type { Resource } from '../operation';

import { addApiKey } from './addApiKey';
import { getAll } from './getAll';

export const voice: Resource = {
	option: { name: 'Voice', value: 'voice', description: 'Voices that can speak a script' },
	operations: [getAll, addApiKey],
};
