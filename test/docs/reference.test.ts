import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildOperationsTable, buildReference } from './reference';
import { isUpdate } from './update';

const ROOT = join(__dirname, '..', '..');
const README = join(ROOT, 'README.md');

test('docs/reference.md is up to date (npm run docs updates it)', () => {
	const file = join(ROOT, 'docs', 'reference.md');
	const [byHand = ''] =
		/<!-- From here on it is written by hand[^]*/.exec(readFileSync(file, 'utf8')) ?? [];
	const content = [buildReference(), byHand].filter(Boolean).join('\n');
	if (isUpdate) writeFileSync(file, content);
	expect(readFileSync(file, 'utf8')).toBe(content);
});

test("README's table of operations is up to date (npm run docs updates it)", () => {
	const section =
		/(?<=<!-- operations: npm run docs -->\n\n)[^]*?(?=\n\n<!-- end of operations -->)/;
	const table = buildOperationsTable();
	if (isUpdate) {
		const updated = readReadme().replace(section, () => table);
		writeFileSync(README, updated);
	}
	expect(section.exec(readReadme())?.[0]).toBe(table);
});

test('The reference lists every code of an error, and each occurs', () => {
	const folder = join(ROOT, 'nodes', 'AvatarStudio');
	const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts') && !file.endsWith('errorCode.ts'))
		.map((file) => readFileSync(join(folder, file), 'utf8'))
		.join('');
	const type = readFileSync(join(folder, 'errors', 'errorCode.ts'), 'utf8');
	const codes = Array.from(type.matchAll(/\| '(\w+)'/g), ([, code]) => code!);
	const reference = readFileSync(join(ROOT, 'docs', 'reference.md'), 'utf8');
	const [, table] = reference.split('| `code` | Cause |');
	const listed = Array.from(table!.matchAll(/^\| `(\w+)` \| \S/gm), ([, code]) => code!);
	expect(listed.sort()).toEqual(codes.sort());
	expect(codes.filter((code) => !sources.includes(`'${code}'`))).toEqual([]);
});

function readReadme(): string {
	return readFileSync(README, 'utf8');
}
