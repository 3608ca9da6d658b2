const { transform } = require('../../jest.config');

/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	testEnvironment: 'node',
	roots: ['<rootDir>/test/editor'],
	// Not .test.ts: npm test runs those, and needs neither n8n nor Chromium.
	testMatch: ['**/*.spec.ts'],
	transform,
	globalSetup: '<rootDir>/test/editor/start.ts',
	globalTeardown: '<rootDir>/test/support/stop.ts',
	// One n8n, one user at a time.
	maxWorkers: 1,
	testTimeout: 90_000,
};
