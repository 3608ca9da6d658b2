import path from 'node:path';
import process from 'node:process';

import jestConfig from '../../jest.config.js';

/** The folders whose tests run the shipped code; the others test the tools around it. */
const TEST_FOLDERS = 'client,credentials,description,errors,execution,methods,resources,trigger';

/**
 * MUTATE lists what to mutate and TESTS what to run, files or folders, by default all of it:
 * MUTATE=nodes/AvatarStudio/execution/run.ts TESTS=test/execution,test/resources npm run test:mutation
 */
const { MUTATE = 'nodes,credentials', TESTS = TEST_FOLDERS.replace(/\w+/g, 'test/$&') } =
	process.env;

/**
 * @param {string} list files and folders, separated by commas
 * @param {string} pattern what to take of a folder
 */
const expand = (list, pattern) =>
	list.split(',').map((entry) => (entry.endsWith('.ts') ? entry : `${entry}/**/${pattern}`));

export default {
	mutate: expand(MUTATE, '*.ts'),
	plugins: ['@stryker-mutator/*', './test/mutation/ignoreTexts.mjs'],
	// Texts for the user: tests compare what matters in them, not every word.
	ignorers: ['texts'],
	testRunner: 'jest',
	jest: {
		// n8n loads the node by its path, so no import relates a test to it.
		enableFindRelatedTests: false,
		config: {
			...jestConfig,
			// Stryker wraps the environment and does not replace <rootDir>.
			testEnvironment: path.resolve(jestConfig.testEnvironment.replace('<rootDir>/', '')),
			testMatch: expand(TESTS, '*.test.ts').map((pattern) => `**/${pattern}`),
			coverageThreshold: undefined,
			// A test that is only slow must not count as one that noticed the change.
			testTimeout: 120_000,
		},
	},
	coverageAnalysis: 'perTest',
	tempDirName: 'coverage/mutation',
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false },
	// The tests measure time, and two test runners would slow each other down.
	concurrency: 1,
	timeoutMS: 120_000,
	timeoutFactor: 3,
	dryRunTimeoutMinutes: 60,
};
