import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { toAnchor } from './examples';
import { findMissing } from './paths';

const ROOT = join(__dirname, '..', '..');

/** These sections refer to files that the reader adds; recipe.test.ts follows their steps. */
const RECIPES = /^## Adding [^]*?(?=^## )/gm;

const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: ROOT, encoding: 'utf8' })
	.split('\n')
	.filter((page) => page !== '' && existsSync(join(ROOT, page)));

test.each(pages)('Every link and image in %s has a target', (page) => {
	const links = findLinks(page).filter((link) => !/^(https?:|mailto:)/.test(link));
	expect(links.filter((link) => !isValidLink(page, link))).toStrictEqual([]);
});

test.each(pages)('Every file and folder that %s mentions exists', (page) => {
	expect(findMissing(readPage(page).replace(RECIPES, ''), ROOT, dirname(page))).toStrictEqual([]);
});

const samples = pages.flatMap((page) =>
	[...readPage(page).matchAll(/```json\n([\s\S]*?)```/g)].map(([, sample]) => [page, sample!]),
);

test.each(samples)('A JSON sample in %s is valid: %#', (_page, sample) => {
	expect(() => JSON.parse(sample) as unknown).not.toThrow();
});

function findLinks(page: string): string[] {
	return [
		...readPage(page)
			.replace(/`[^`\n]+`/g, '')
			.matchAll(/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/g),
	].map(([, markdown, html]) => markdown ?? html ?? '');
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

/** @returns the anchors of a page's headings */
function getAnchors(page: string): string[] {
	return [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => toAnchor(heading!));
}
