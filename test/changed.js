'use strict';
const { execFileSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const path = require('node:path');

// npm run test:changed [-- REVISION]: runs the test files that follow the files changed since a
// revision, by default the last commit. An import relation would not do: n8n loads the node by its
// path, and nearly every test loads all of it.

const projectRoot = path.resolve(__dirname, '..');
/** What describes the whole node: the editor's fields, the reference and the contract. */
const TESTS_OF_THE_NODE = [
	'test/description/',
	'test/docs/reference.test.ts',
	'test/resources/contract.test.ts',
];

/** @param {string[]} args of git */
function readLines(...args) {
	const output = execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' });
	return output.split('\n').filter(Boolean);
}

/**
 * Returns what tests a file: itself, the test file of its name, or else the nearest folder. A change
 * of the node may also be one of its description.
 *
 * @param {string} file such as nodes/AvatarStudio/client/limiter/rateLimiter.ts
 */
function findTests(file) {
	if (/^test\/.*\.test\.ts$/.test(file)) return [file];
	const always = file.startsWith('nodes/') ? TESTS_OF_THE_NODE : [];
	const { dir, name } = path.posix.parse(file.replace(/^nodes\/AvatarStudio\/|^test\//, ''));
	const own = path.posix.join('test', dir, `${name}.test.ts`);
	if (existsSync(path.join(projectRoot, own))) return [own, ...always];
	const folder = path.posix.join('test', dir);
	const isFolder = dir !== '' && existsSync(path.join(projectRoot, folder));
	return isFolder ? [`${folder}/`, ...always] : always;
}

const [revision = 'HEAD'] = process.argv.slice(2);
const changed = [
	...readLines('diff', '--name-only', '--diff-filter=d', revision),
	...readLines('ls-files', '--others', '--exclude-standard'),
];
const tests = [...new Set(changed.flatMap(findTests))];
if (tests.length === 0) process.stdout.write('No test follows what was changed.\n');
else {
	process.stdout.write(`${tests.join('\n')}\n\n`);
	void require('jest').run(['--passWithNoTests', ...tests]);
}
