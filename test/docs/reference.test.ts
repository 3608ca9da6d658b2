import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildOperationsTable, buildReference } from './reference';

const ROOT = join(__dirname, '..', '..');
const REFERENCE = join(ROOT, 'docs', 'reference.md');
const README = join(ROOT, 'README.md');
const TABLE = /(?<=<!-- operations: npm run docs -->\n\n)[^]*?(?=\n\n<!-- end of operations -->)/;

const isUpdate = process.env.npm_lifecycle_event === 'docs';

test('The reference is up to date with the nodes (npm run docs updates it)', () => {
	const reference = buildReference();
	if (isUpdate) writeFileSync(REFERENCE, reference);
	expect(readFileSync(REFERENCE, 'utf8')).toBe(reference);
});

test("README's table of operations is up to date (npm run docs updates it)", () => {
	const table = buildOperationsTable();
	if (isUpdate)
		writeFileSync(
			README,
			readReadme().replace(TABLE, () => table),
		);
	expect(normalize(TABLE.exec(readReadme())?.[0] ?? '')).toBe(table);
});

function readReadme(): string {
	return readFileSync(README, 'utf8');
}

/** Removes the column padding that Prettier adds to a table. */
function normalize(table: string): string {
	return table.replace(/ +/g, ' ').replace(/-{3,}/g, '---');
}
