import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

import { readRepository } from './repository';

const ROOT = join(__dirname, '..', '..');

/** Refers to files that the reader is to add; recipe.test.ts follows its steps. */
const RECIPE = /^## Adding an operation\n[^]*?(?=^## )/m;

const { file: OWN_FILE } = readRepository();

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
	.split('\n')
	.filter((page) => page !== '' && existsSync(join(ROOT, page)));

test.each(pages)('Every link and image in %s has a target', (page) => {
	const links = [...readPage(page).matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g)]
		.map(([, markdown, html]) => markdown ?? html ?? '')
		.map((link) => (OWN_FILE.test(link) ? toRelative(page, link) : link))
		.filter((link) => !/^(https?:|mailto:)/.test(link));
	expect(links.filter((link) => !isValidLink(page, link))).toStrictEqual([]);
});

test('README.md has no relative links, which lead nowhere on npm', () => {
	const links = [...readPage('README.md').matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
	expect(links.filter((link) => !/^(https:|#)/.test(link))).toStrictEqual([]);
});

test.each(pages)('Every file that %s mentions exists', (page) => {
	const files = [
		...readPage(page)
			.replace(RECIPE, '')
			.matchAll(/`((?:docs|examples|n8n|nodes|service|test)\/[^\s`*<{]+)`/g),
	]
		.map(([, file]) => file!)
		.filter((file) => !existsSync(join(ROOT, file)));
	expect(files).toStrictEqual([]);
});

test('Every picture in the documentation is shown on a page', () => {
	const pictures = execFileSync('git', ['ls-files', 'docs/**.png', 'docs/**.gif', 'docs/**.svg'], {
		cwd: ROOT,
		encoding: 'utf8',
	});
	const text = pages.map(readPage).join('\n');
	const unused = pictures
		.trim()
		.split('\n')
		.filter((picture) => !text.includes(basename(picture)));
	expect(unused).toStrictEqual([]);
});

const samples = pages.flatMap((page) =>
	[...readPage(page).matchAll(/```json\n([\s\S]*?)```/g)].map(([, sample]) => [page, sample!]),
);

test.each(samples)('A JSON sample in %s is valid: %#', (_page, sample) => {
	expect(() => JSON.parse(sample) as unknown).not.toThrow();
});

/** README.md links to files by their address on GitHub, so that it also reads well on npm. */
function toRelative(page: string, link: string): string {
	return relative(dirname(page), link.replace(OWN_FILE, ''));
}

function readPage(page: string): string {
	return readFileSync(join(ROOT, page), 'utf8');
}

function isValidLink(page: string, link: string): boolean {
	const [path = '', anchor] = link.split('#');
	const target = path === '' ? page : join(dirname(page), decodeURIComponent(path));
	if (!existsSync(join(ROOT, target))) return false;
	return anchor === undefined || getAnchors(target).includes(anchor);
}

/** @returns the anchors of a page's headings, as GitHub generates them */
function getAnchors(page: string): string[] {
	return [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
		heading!
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}
