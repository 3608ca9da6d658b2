import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
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

const ROOT = join(__dirname, '..', '..');
/** A file that the recipe mentions, or a code block to apply to the last file mentioned. */
const STEP = /`((?:nodes|service|test)\/[^`\s]+)`|^( *)```(\w+)\n([^]*?)^ *```$/gm;

let copy: string;
beforeAll(() => {
	copy = realpathSync(mkdtempSync(join(tmpdir(), 'avatar-studio-recipe-')));
	const files = execFileSync('git', ['ls-files', '-zco', '--exclude-standard'], {
		cwd: ROOT,
		encoding: 'utf8',
	});
	for (const file of files.split('\0').filter(Boolean)) cpSync(join(ROOT, file), join(copy, file));
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('I follow "Adding an operation" step by step', () => {
	const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
	const recipe = contributing.split(/^## /m).find((part) => part.startsWith('Adding an operation'));
	let file = '';
	for (const [, named, indent = '', language = '', code = ''] of recipe!.matchAll(STEP)) {
		if (named) file = named;
		else follow(file, language, code.replace(new RegExp(`^${indent}`, 'gm'), ''));
	}
	expect(file).not.toBe('');
});

test('I update the documents, and the tests of what I added pass', () => {
	const failures = findFailures([
		'test/description/interface.test.ts',
		'test/docs/reference.test.ts',
		'test/resources/routes.test.ts',
		'test/resources/template',
	]);
	expect(failures).toEqual([]);
	const readme = readFileSync(join(copy, 'README.md'), 'utf8');
	expect(readme).toContain('`GET /v1/templates/{templateId}`');
}, 120_000);

function follow(name: string, language: string, code: string): void {
	const file = join(copy, name);
	if (language === 'diff') return applyDiff(file, code);
	if (language === 'yaml') return applyDiff(file, ` paths:\n${code.replace(/^/gm, '+  ')}`);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, code);
}

function applyDiff(file: string, diff: string): void {
	const lines = diff.trimEnd().split('\n');
	const take = (marks: RegExp) =>
		lines
			.filter((line) => marks.test(line))
			.map((line) => `${line.slice(1)}\n`)
			.join('');
	const [before, after] = [take(/^[ -]/), take(/^[ +]/)];
	const parts = readFileSync(file, 'utf8').split(before);
	expect([file, before, parts.length]).toStrictEqual([file, before, 2]);
	writeFileSync(file, parts.join(after));
}

/**
 * Runs tests in the copy as `npm run docs` does, which writes the documents before it compares them.
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
	const { testResults } = JSON.parse(stdout) as {
		testResults: {
			name: string;
			message: string;
			assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
		}[];
	};
	return testResults.flatMap(({ name, message, assertionResults }) => {
		if (assertionResults.length === 0) return [`${name}: ${message}`];
		const failed = assertionResults.filter(({ status }) => status === 'failed');
		return failed.map(
			({ fullName, failureMessages }) =>
				`${fullName}: ${failureMessages.join('\n').replace(/\n\s+at .*/g, '')}`,
		);
	});
}
