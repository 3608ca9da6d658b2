import type { Resource } from '../operation';

import { create } from './create';

export const speech: Resource = {
	option: { name: 'Speech', value: 'speech', description: 'Audio of a script, spoken by a voice' },
	operations: [create],
};
