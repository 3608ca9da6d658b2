import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { devDependencies } from '../../package.json';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'findings');
const NODES = 'nodes/AvatarStudio/';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const findings = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.sh'))
	.map((file) => file.replace(/\.sh$/, ''));

/** The cells of each row of the table in findings/README.md. */
const rows = Array.from(read('findings/README.md').matchAll(/^\| \[.*$/gm), ([line]) =>
	line
		.split('|')
		.slice(1, -1)
		.map((cell) => cell.trim()),
);
const getRow = (finding: string) => rows.find(([name]) => name === `[${finding}](${finding}.sh)`);
const listCode = (cell = '') => Array.from(cell.matchAll(/`([^`]+)`/g), ([, text]) => text!);

test('The table has a row for each finding, in order', () => {
	expect(rows.map(([name]) => name)).toEqual(findings.map((name) => `[${name}](${name}.sh)`));
});

describe.each(findings)('The finding %s', (finding) => {
	const script = read(`findings/${finding}.sh`);

	it('can be run, and leaves nothing behind', () => {
		accessSync(join(FOLDER, `${finding}.sh`), constants.X_OK);
		expect(script).toMatch(/^#!\/bin\/sh\n# /);
		expect(script).toMatch(/^# Seen: /m);
		expect(script).toContain('folder=$(mktemp -d)\n. "$(dirname "$0")/support/start.sh"\n');
	});

	it('installs the packages that the table names, of these versions', () => {
		const installed = Array.from(script.matchAll(/^install (.*)$/gm), ([, names]) =>
			names!.replaceAll('"', '').split(' '),
		);
		expect(installed.flat()).not.toHaveLength(0);
		expect(listCode(getRow(finding)?.[2])).toEqual(installed.flat());
		for (const name of installed.flat()) expect(name).toMatch(/.@\d+\.\d+\.\d+$/);
	});

	it('is named in the shipped code that the table says depends on it, and in no other', () => {
		const named = listComments()
			.filter(({ text }) => findCitedFindings(text).includes(finding))
			.map(({ file }) => file.replace(NODES, ''));
		const dependents = listCode(getRow(finding)?.[3]);
		const shipped = dependents.filter((file) => !/^(docs|test)\//.test(file));
		expect(dependents).not.toHaveLength(0);
		expect(shipped.sort()).toEqual([...new Set(named)].sort());
	});
});

test('What a comment of the shipped code names exists', () => {
	const cited = listComments().flatMap(({ text }) => findCitedFindings(text));
	expect(cited.filter((finding) => !findings.includes(finding))).toEqual([]);
	const missing = listComments().flatMap(({ text }) => listFilesOfN8n(text).filter(isMissing));
	expect(missing).toEqual([]);
});

/**
 * A statement of what n8n does: a clause that has n8n, or something of n8n's, as its subject. It begins a
 * sentence, or follows a colon, a comma, "because", "but" or "and". "What n8n passes" and "if n8n cancels"
 * are no statements.
 */
const STATEMENT =
	/(?:^|[.:,] |\b(?:because|but|and) )n8n(?:'s [\w ]{1,30}?)?(?: up to [\d.]+| [\d.]+x?)? (?:itself )?(?:would|may|must|[a-z]+s)\b/;

test('Each comment of the shipped code that says what n8n does names what shows it', () => {
	const without = listComments().filter(
		({ text }) =>
			STATEMENT.test(text) &&
			findCitedFindings(text).length === 0 &&
			listFilesOfN8n(text).length === 0 &&
			!findTests(text).some((file) => existsSync(join(ROOT, file))),
	);
	expect(without.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});

/** @returns each comment of the shipped code as one line, without the marks of a comment */
function listComments(): { file: string; text: string }[] {
	return [...listFiles('nodes'), ...listFiles('credentials')].flatMap((file) =>
		Array.from(read(file).matchAll(/\/\*\*[^]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm), ([comment]) => ({
			file,
			text: comment
				.replace(/\s*\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' ')
				.replace(/^\s*(?:\/\*\*|\/\/)\s*/, ''),
		})),
	);
}

function listFiles(folder: string): string[] {
	const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
	return files.filter((file) => file.endsWith('.ts')).map((file) => `${folder}/${file}`);
}

function findCitedFindings(text: string): string[] {
	return Array.from(text.matchAll(/\bfindings\/([\w-]+(?:\.x)?)/g), ([, name]) => name!);
}

function findTests(text: string): string[] {
	return text.match(/\btest\/[\w/.]+\.ts\b/g) ?? [];
}

/** @returns such as `['n8n-core', '2.41.1', 'routing-node.js']` for each file of n8n that is named */
function listFilesOfN8n(text: string): string[][] {
	const named =
		/(?<![\w-])(n8n|n8n-core|n8n-workflow|@n8n\/[\w-]+) (\d+\.\d+\.\d+), ([\w.-]+\.js)\b/g;
	return Array.from(text.matchAll(named), ([, ...parts]) => parts);
}

/** Whether a package that is installed has no file of this name, or is of another version. */
function isMissing([name = '', version, file]: string[]): boolean {
	if (!(name in devDependencies)) return false;
	const folder = join('node_modules', name);
	const installed = JSON.parse(read(join(folder, 'package.json'))) as { version: string };
	if (installed.version !== version) return true;
	const files = readdirSync(join(ROOT, folder, 'dist'), { recursive: true, encoding: 'utf8' });
	return !files.some((path) => basename(path) === file);
}
