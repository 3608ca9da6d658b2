import { execFileSync } from 'node:child_process';
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
	const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' });
	for (const file of files.split('\0').filter(Boolean)) cpSync(join(ROOT, file), join(copy, file));
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('I follow "Adding an operation" step by step, and all tests of operations pass', () => {
	const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
	const [, recipe = ''] = contributing.split(/^## Adding an operation$|^What is special about/m);
	let file = '';
	for (const [, named, indent = '', language = '', code = ''] of recipe.matchAll(STEP)) {
		if (named) file = named;
		else follow(file, language, code.replace(new RegExp(`^${indent}`, 'gm'), ''));
	}

	const update = runJest(['test/docs/reference.test.ts'], { npm_lifecycle_event: 'docs' });
	expect(update).not.toContain('failed');
	const result = runJest([
		'test/description',
		'test/docs/reference.test.ts',
		'test/resources/routes.test.ts',
		'test/resources/video',
		'test/service/contract.test.ts',
	]);
	expect(result).toContain('PASS test/resources/video/get.test.ts');
	expect(result).toContain('Video: Get, filled in from its placeholders,');
	expect(result).not.toContain('failed');
	expect(readFileSync(join(copy, 'README.md'), 'utf8')).toContain('`GET /v1/videos/{videoId}`');
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

function runJest(args: string[], env: NodeJS.ProcessEnv = {}): string {
	const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
	try {
		return execFileSync(
			'sh',
			['-c', '"$0" "$@" 2>&1', process.execPath, jest, '--verbose', ...args],
			{
				cwd: copy,
				env: { ...process.env, ...env },
				encoding: 'utf8',
			},
		);
	} catch (error) {
		return (error as { stdout: string }).stdout;
	}
}
