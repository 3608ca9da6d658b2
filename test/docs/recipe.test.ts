import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { FormattedTestResults } from '@jest/test-result';

import { findMissing } from './paths';

const ROOT = join(__dirname, '..', '..');
/** A file that a recipe mentions, or a code block to apply to the last file mentioned. */
const STEP = /`((?:nodes|service|test)\/[^`\s]+|SECURITY\.md)`|^( *)```(\w+)\n([^]*?)^ *```$/gm;
/** In a quoted line, or as a line of its own, it stands for what is left out. */
const LEFT_OUT = '…';

const recipes = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
	.split(/^## /m)
	.filter((section) => section.startsWith('Adding '))
	.map((section): [title: string, text: string] => [section.split('\n')[0]!, section]);

/** Has a test of what each recipe adds, of which nothing is in the sources. */
const TEAPOTS = 'test/docs/teapots';

let copy: string;
const changed = new Set<string>();
beforeAll(() => {
	copy = realpathSync(mkdtempSync(join(tmpdir(), 'avatar-studio-recipe-')));
	const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
	const files = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0');
	for (const file of files.filter((it) => it !== '' && existsSync(join(ROOT, it)))) {
		cpSync(join(ROOT, file), join(copy, file));
	}
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test.each(recipes)('I follow "%s" step by step', (_title, recipe) => {
	let file = '';
	for (const [, named, indent = '', language = '', code = ''] of recipe.matchAll(STEP)) {
		if (named) file = named;
		else {
			follow(file, language, code.replace(new RegExp(`^${indent}`, 'gm'), ''));
			changed.add(file);
		}
	}
	expect(findMissing(recipe, copy)).toEqual([]);
});

test('I update the documents; what I added works, and the tests of all operations pass', () => {
	cpSync(join(copy, `${TEAPOTS}.ts`), join(copy, `${TEAPOTS}.test.ts`));
	const failures = findFailures([
		`${TEAPOTS}.test.ts`,
		'test/description',
		'test/docs/reference.test.ts',
		'test/execution/parameters.test.ts',
		'test/methods/failures.test.ts',
		'test/resources/routes.test.ts',
		'test/service/everyChoice.test.ts',
		'test/trigger/state.test.ts',
	]);
	expect(failures).toEqual([]);
	const readme = readFileSync(join(copy, 'README.md'), 'utf8');
	expect(readme).toContain('`GET /v1/teapots`');
	const reference = readFileSync(join(copy, 'docs', 'reference.md'), 'utf8');
	expect(reference).toContain('`GET /v1/teapots` | each record of the list, unchanged |');
	const [teapots] = /^## Teapot$[^]*?^## /m.exec(reference)!;
	expect(teapots).toContain('Number of teapots to request at a time.');
	expect(teapots).not.toContain('First Page');
	expect(reference).toContain('`GET /v1/assets/{assetId}/teapot` | the record, unchanged |');
}, 120_000);

test('What I added is formatted, the documents included, and linted', () => {
	const files = [...changed, 'README.md', 'docs/reference.md'];
	expect(findComplaints(['prettier', 'bin', 'prettier.cjs'], ['--check', ...files])).toBe('');
	const sources = [...changed].filter((file) => file.endsWith('.ts'));
	expect(findComplaints(['eslint', 'bin', 'eslint.js'], ['--max-warnings=0', ...sources])).toBe('');
}, 120_000);

/** @returns what a tool says of files in the copy; nothing if it is content */
function findComplaints(tool: string[], args: string[]): string {
	const bin = join(ROOT, 'node_modules', ...tool);
	const options = { cwd: copy, encoding: 'utf8' } as const;
	const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], options);
	return status === 0 ? '' : stdout + stderr;
}

/** Applies a code block to a file: a diff, routes of `openapi.yaml`, or a new file or its end. */
function follow(name: string, language: string, code: string): void {
	const file = join(copy, name);
	if (language === 'diff') return applyDiff(file, code);
	if (language === 'yaml') return applyDiff(file, ` paths:\n${code.replace(/^/gm, '+  ')}`);
	if (existsSync(file)) return writeFileSync(file, `${readFileSync(file, 'utf8')}\n${code}`);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, code);
}

function applyDiff(file: string, diff: string): void {
	const lines = diff.trimEnd().split('\n');
	const take = (marks: RegExp) =>
		lines.filter((line) => marks.test(line)).map((line) => `${line.slice(1)}\n`);
	const before = take(/^[ -]/).join('');
	const pattern = before.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(LEFT_OUT, '([^]*?)');
	const matches = [...readFileSync(file, 'utf8').matchAll(new RegExp(`^${pattern}`, 'gm'))];
	// If this fails, correct the lines that CONTRIBUTING.md quotes.
	expect([file, before, matches.length]).toEqual([file, before, 1]);
	const [quoted, ...leftOut] = matches[0]!;
	const wanted = take(/^[ +]/).join('');
	const after = wanted.replaceAll(LEFT_OUT, () => leftOut.shift() ?? '');
	const updated = readFileSync(file, 'utf8').replace(quoted, () => after);
	writeFileSync(file, updated);
}

/**
 * Runs tests in the copy as `npm run docs` does, with -u to write what is generated.
 *
 * @returns the failed tests, each with its message; and files that could not be run
 */
function findFailures(tests: string[]): string[] {
	const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	const { stdout } = spawnSync(process.execPath, [jest, '-u', '--json', '--runInBand', ...tests], {
		cwd: copy,
		encoding: 'utf8',
		maxBuffer: Infinity,
	});
	const { testResults } = JSON.parse(stdout) as FormattedTestResults;
	return testResults.flatMap(({ name, message, assertionResults }) => {
		if (assertionResults.length === 0) return [`${name}: ${message}`];
		const failed = assertionResults.filter(({ status }) => status === 'failed');
		return failed.map(({ fullName, failureMessages }) => {
			const text = failureMessages?.join('\n').replace(/\n\s+at .*/g, '');
			return `${fullName}: ${text}`;
		});
	});
}
