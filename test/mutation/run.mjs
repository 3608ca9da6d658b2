import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { Stryker } from '@stryker-mutator/core';

import jestConfig from '../../jest.config.js';
import { printError, UserError } from '../../scripts/userError.js';

// npm run test:mutation -- MODULE [TESTS …]: changes a file or folder of the shipped code in small
// ways, and runs the tests that cover each change: by default among those of the nearest folder.

const folder = import.meta.dirname;
const projectRoot = path.resolve(folder, '../..');

/**
 * @param {string} entry a file or a folder
 * @param {string} pattern what to take of a folder
 */
const expand = (entry, pattern) =>
	entry.endsWith('.ts') ? entry : path.join(entry, '**', pattern);

/** @param {string} module such as nodes/AvatarStudio/client/retry.ts */
function findTests(module) {
	let tests = module.replace(/^nodes\/AvatarStudio/, 'test').replace(/\.ts$/, '.test.ts');
	while (!existsSync(path.join(projectRoot, tests))) tests = path.dirname(tests);
	return tests;
}

const [module, ...tests] = process.argv.slice(2);
if (!module) {
	const hint = 'Name a file or folder: npm run test:mutation -- nodes/AvatarStudio/client/retry.ts';
	printError(new UserError('What is to be changed is missing', hint));
	process.exit(1);
}

await new Stryker({
	mutate: [expand(module, '*.ts')],
	plugins: ['@stryker-mutator/*', './test/mutation/ignoreTexts.mjs'],
	// Texts for the user: tests compare what matters in them, not every word.
	ignorers: ['texts'],
	testRunner: 'jest',
	jest: {
		// n8n loads the node by its path, so no import relates a test to it.
		enableFindRelatedTests: false,
		config: {
			...jestConfig,
			testEnvironment: path.join(folder, 'environment.js'),
			runner: path.join(folder, 'runner.js'),
			testMatch: (tests.length > 0 ? tests : [findTests(module)]).map(
				(entry) => `**/${expand(entry, '*.test.ts')}`,
			),
			coverageThreshold: undefined,
			// A test that is only slow must not count as one that noticed the change.
			testTimeout: 120_000,
		},
	},
	coverageAnalysis: 'perTest',
	tempDirName: 'coverage/mutation',
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	// The tests measure time, and two test runners would slow each other down.
	concurrency: 1,
	timeoutMS: 15_000,
	timeoutFactor: 2,
	dryRunTimeoutMinutes: 60,
}).runMutationTest();
