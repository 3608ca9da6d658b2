import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readExamples } from '../../n8n/examples';

import { buildExamplesPage } from './examples';

const ROOT = join(__dirname, '..', '..');
const PAGE = join(ROOT, 'examples', 'README.md');
const MAX_PICTURES_BYTES = 1_500_000;

test('The page about the examples is up to date with their notes (npm run docs updates it)', () => {
	const page = buildExamplesPage();
	if (process.env.npm_lifecycle_event === 'docs') writeFileSync(PAGE, page);
	expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

test('Each example has an image of its canvas, and their total size is small', () => {
	const folder = join(ROOT, 'docs', 'screenshots', 'examples');
	const pictures = readdirSync(folder).sort();
	expect(pictures).toEqual(
		readExamples()
			.map(({ file }) => `${file}.png`)
			.sort(),
	);
	const sizes = pictures.map((picture) => readFileSync(join(folder, picture)).length);
	expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_PICTURES_BYTES);
});

test.each(readExamples().map(({ name, nodes }) => [name, nodes] as const))(
	'The note of "%s" has the parts that n8n requires of a template',
	(name, nodes) => {
		const note = nodes.find(({ type }) => type === 'n8n-nodes-base.stickyNote')!;
		const content = String(note.parameters.content);
		expect(content.startsWith(`## ${name}\n\n`)).toBe(true);
		expect(content).toContain('\n### How it works\n\n1. ');
		expect(content).toContain('\n### Requirements\n\n- Self-hosted n8n with the community node ');
		expect(content).toContain('\n### Set up\n\n1. ');
		expect(content).toContain('\n### Customize\n\n');
	},
);
