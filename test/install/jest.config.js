const { transform } = require('../../jest.config');

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	testEnvironment: 'node',
	roots: ['<rootDir>/test/install'],
	// Not .test.ts, which npm test runs.
	testMatch: ['**/*.spec.ts'],
	transform,
	globalSetup: '<rootDir>/test/support/temporaryFolder.ts',
	// Every install and every n8n keeps the processor busy by itself.
	maxWorkers: 1,
	testTimeout: 300_000,
	// A program that does not end fails its test.
	forceExit: true,
};
