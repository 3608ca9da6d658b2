import path from 'node:path';
import process from 'node:process';

import jestConfig from './jest.config.js';

/**
 * MUTATE names what to mutate, a file or a folder, and TESTS what to run, both by default all of it:
 * MUTATE=nodes/AvatarStudio/transport/runState.ts TESTS=test/transport npm run test:mutation
 */
const { MUTATE = 'nodes', TESTS = 'test' } = process.env;

export default {
	mutate: [MUTATE.endsWith('.ts') ? MUTATE : `${MUTATE}/**/*.ts`],
	testRunner: 'jest',
	jest: {
		// n8n loads the node by its path, so no import relates a test to it.
		enableFindRelatedTests: false,
		config: {
			...jestConfig,
			// Stryker wraps the environment and does not replace <rootDir>.
			testEnvironment: path.resolve(jestConfig.testEnvironment.replace('<rootDir>/', '')),
			testMatch: [TESTS.endsWith('.ts') ? `**/${TESTS}` : `**/${TESTS}/**/*.test.ts`],
			coverageThreshold: undefined,
		},
	},
	coverageAnalysis: 'perTest',
	tempDirName: 'coverage/mutation',
	reporters: ['clear-text', 'progress-append-only'],
	clearTextReporter: { allowColor: false, logTests: false },
	concurrency: 2,
	timeoutMS: 60_000,
	dryRunTimeoutMinutes: 30,
};
