import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readExamples } from '../../n8n/examples';

import { buildExamplesPage } from './examples';
import { isUpdate } from './update';

const ROOT = join(__dirname, '..', '..');
const PAGE = join(ROOT, 'examples', 'README.md');
const MAX_PICTURES_BYTES = 1_500_000;

test('The page about the examples is up to date with their notes (npm run docs updates it)', () => {
	const page = buildExamplesPage();
	if (isUpdate) writeFileSync(PAGE, page);
	expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

test('Each example has an image of its canvas, and their total size is small', () => {
	const folder = join(ROOT, 'docs', 'screenshots', 'examples');
	const pictures = readdirSync(folder).sort();
	const examples = readExamples().map(({ file }) => `${file}.png`);
	expect(pictures).toEqual(examples.sort());
	const sizes = pictures.map((picture) => readFileSync(join(folder, picture)).length);
	expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_PICTURES_BYTES);
});
