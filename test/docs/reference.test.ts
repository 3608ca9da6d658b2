import { readFileSync, writeFileSync } from 'node:fs';

import { buildReference, REFERENCE_FILE } from './reference';

test('The reference describes the nodes as they are (npm run docs updates it)', () => {
	const reference = buildReference();
	if (process.env.npm_lifecycle_event === 'docs') writeFileSync(REFERENCE_FILE, reference);
	expect(readFileSync(REFERENCE_FILE, 'utf8')).toBe(reference);
});
