/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test/n8n'],
	// Not .test.ts: npm test runs those, and needs no n8n.
	testMatch: ['**/*.spec.ts'],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.json' }] },
	globalSetup: '<rootDir>/test/n8n/start.ts',
	globalTeardown: '<rootDir>/test/editor/stop.ts',
	// One n8n for all.
	maxWorkers: 1,
	testTimeout: 90_000,
};
