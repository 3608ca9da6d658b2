const engine = require('../../jest.config');
const { n8nFolder, n8nVersions, projectRoot } = require('../../scripts/n8nFolder');

// For a quicker look: N8N_VERSIONS=2.41.1 N8N_LOAD=0.1 npm run test:n8n -- trigger, which is one
// version, a tenth of the load and one suite. Production is tested on the last version.
const versions = n8nVersions();

const { transform, globalSetup, setupFiles } = engine;
const shared = { rootDir: projectRoot, testEnvironment: 'node', transform };

/** What `npm test` runs on the engine of n8n 2.x, or tests like that, on the engine of a version. */
const onEngineOf = (version) => ({
	...shared,
	globals: { N8N_VERSION: version },
	moduleNameMapper: {
		'^(n8n-core|n8n-workflow|@n8n/(backend-common|di))$': `${n8nFolder(version)}/node_modules/$1`,
	},
	globalSetup,
	setupFiles,
});

/** @type {import('jest').Config} */
module.exports = {
	rootDir: projectRoot,
	// Not .test.ts: npm test runs those, and needs no n8n.
	projects: [
		...versions.map((version) => ({
			...shared,
			displayName: `n8n ${version}`,
			testMatch: ['<rootDir>/test/n8n/versions/*.spec.ts'],
			globals: { N8N_VERSION: version, N8N_VERSIONS: versions },
			globalSetup: '<rootDir>/test/n8n/start.ts',
			globalTeardown: '<rootDir>/test/support/stop.ts',
		})),
		...versions
			.filter((version) => version.startsWith('1.'))
			.map((version) => ({
				...onEngineOf(version),
				displayName: `engine of n8n ${version}`,
				// n8n 1.x has no protection against server-side request forgery.
				testPathIgnorePatterns: ['/test/errors/forgeryProtection.test.ts'],
				testMatch: [
					'<rootDir>/test/{credentials,methods,resources}/**/*.test.ts',
					'<rootDir>/test/{errors,client/response}/**/*.test.ts',
					'<rootDir>/test/execution/{fileNames,files,items,parameters,retryOnFail,slips}.test.ts',
					'<rootDir>/test/trigger/newRecords.test.ts',
				],
			})),
		{
			...shared,
			displayName: 'production',
			globals: { N8N_VERSION: versions.at(-1) },
			testMatch: ['<rootDir>/test/n8n/production/*.spec.ts'],
			globalSetup: '<rootDir>/test/n8n/production/start.ts',
		},
	],
	// One n8n for all spec files of a version.
	maxWorkers: 1,
	// A timer that the core of n8n 1.x never stops would keep the process of its engine tests alive.
	forceExit: versions.some((version) => version.startsWith('1.')),
	testTimeout: 300_000,
};
