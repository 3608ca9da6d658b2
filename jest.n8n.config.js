const { n8nVersions } = require('./scripts/n8nFolder');

// For a quicker look: N8N_VERSIONS=2.41.1 npm run test:n8n
const versions = n8nVersions();

const shared = {
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.json' }] },
};

/** @type {import('jest').Config} */
module.exports = {
	// Not .test.ts: npm test runs those, and needs no n8n.
	projects: [
		...versions.map((version) => ({
			...shared,
			displayName: `n8n ${version}`,
			testMatch: ['<rootDir>/test/n8n/versions/*.spec.ts'],
			globals: { N8N_VERSION: version, N8N_VERSIONS: versions },
			globalSetup: '<rootDir>/test/n8n/start.ts',
			globalTeardown: '<rootDir>/test/editor/stop.ts',
		})),
		{
			...shared,
			displayName: 'production',
			testMatch: ['<rootDir>/test/n8n/production/*.spec.ts'],
		},
	],
	reporters: ['default', '<rootDir>/test/n8n/figuresReporter.js'],
	// One n8n for all spec files of a version.
	maxWorkers: 1,
	testTimeout: 300_000,
};
