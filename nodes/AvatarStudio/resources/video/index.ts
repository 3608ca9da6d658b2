import type { Resource } from '../operation';

import { create } from './create';
import { createFast } from './createFast';
import { get } from './get';

export const video: Resource = {
	option: { name: 'Video', value: 'video', description: 'Videos of an avatar speaking a script' },
	operations: [create, createFast, get],
};
