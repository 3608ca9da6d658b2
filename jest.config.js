// Tests never run in production, whatever else this shell is used for.
process.env.NODE_ENV = 'test';

/** @type {import('jest').Config} */
module.exports = {
	// nodes and credentials are roots too, or a file that no test loads would vanish from the coverage.
	roots: ['<rootDir>/nodes', '<rootDir>/credentials', '<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	// Several times as fast as the compiler. npm run typecheck checks the types.
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
	},
	globalSetup: '<rootDir>/test/support/start.ts',
	// n8n stays loaded from one test file to the next.
	testEnvironment: '<rootDir>/test/support/engine/sharedEnvironment.js',
	runtime: '<rootDir>/test/support/engine/warmRuntime.js',
	setupFiles: ['<rootDir>/test/support/engine/environment.ts'],
	// Jest would leave one of two cores idle.
	maxWorkers: '100%',
	testTimeout: 30_000,
	coverageThreshold: { global: { lines: 100 } },
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
};
