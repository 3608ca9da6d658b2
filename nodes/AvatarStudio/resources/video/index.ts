import type { Resource } from '../operation';

import { create } from './create';

export const video: Resource = {
	option: { name: 'Video', value: 'video', description: 'Videos of an avatar speaking a script' },
	operations: [create],
};
