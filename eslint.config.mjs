import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import importX from 'eslint-plugin-import-x';
import jest from 'eslint-plugin-jest';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import * as regexp from 'eslint-plugin-regexp';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const shipped = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const tests = ['test/**/*.ts'];
/** Each statement says one thing, so that it is understood at the first reading. */
const oneReading = {
	'no-nested-ternary': 'error',
	'no-cond-assign': ['error', 'always'],
	'no-return-assign': ['error', 'always'],
	'no-sequences': 'error',
	'one-var': ['error', 'never'],
	'no-restricted-syntax': [
		'error',
		{
			selector:
				'VariableDeclarator[id.type="ArrayPattern"]:matches([init.type="ArrayExpression"], [init.expression.type="ArrayExpression"])',
			message: 'Declare one constant a line.',
		},
		{
			selector:
				'AssignmentExpression:not(ExpressionStatement > *, ForStatement > *, PropertyDefinition > *)',
			message: 'Assign in a statement of its own.',
		},
		{
			selector:
				'CallExpression[callee.property.name=/^(filter|find|some|every|map)$/] > :function :matches(AssignmentExpression, UpdateExpression, CallExpression[callee.property.name=/^(add|push|set|delete|shift|pop)$/])',
			message: 'A function that selects or converts changes nothing.',
		},
	],
};
/** A function does one job, and a file holds one thing. */
const oneJob = {
	'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
	'max-lines': ['error', { max: 180, skipBlankLines: true, skipComments: true }],
};
const community = n8nCommunityNodesPlugin.configs.recommended;

export default defineConfig(
	globalIgnores(['dist/', 'coverage/', '**/node_modules/', '.demo/']),
	{ linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },

	// Every TypeScript file: type-aware rules.
	{
		files: ['**/*.ts'],
		extends: [
			js.configs.recommended,
			tseslint.configs.recommendedTypeChecked,
			tseslint.configs.stylisticTypeChecked,
			importX.flatConfigs.recommended,
			importX.flatConfigs.typescript,
		],
		languageOptions: {
			parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
		},
		settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
		rules: {
			'no-console': 'error',
			'@typescript-eslint/consistent-type-imports': 'error',
			'import-x/no-cycle': 'error',
			'import-x/no-default-export': 'error',
			'import-x/order': ['error', { alphabetize: { order: 'asc' }, 'newlines-between': 'always' }],
		},
	},

	{
		files: [...shipped, 'test/support/**/*.ts', 'service/**/*.ts', 'n8n/**/*.ts'],
		rules: oneReading,
	},
	{ files: shipped, rules: oneJob },

	// What ships to n8n: the rules that n8n's own scan applies, plus a tighter import fence.
	{
		files: shipped,
		extends: [community],
		plugins: { 'n8n-nodes-base': n8nNodesBase, regexp },
		linterOptions: { noInlineConfig: true },
		rules: {
			// A response must not block n8n: every pattern must run in linear time.
			'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
			'regexp/no-super-linear-move': ['error', { report: 'potential' }],
			'no-restricted-properties': [
				'error',
				{
					object: 'URL',
					property: 'canParse',
					message: 'On Node 20 it ends up refusing valid URLs: use parseUrl.',
				},
			],
			'no-restricted-imports': [
				'error',
				{
					patterns: [
						{
							regex: '^(?!n8n-workflow$|node:crypto$|\\.)',
							message: 'Shipped code may import n8n-workflow and relative modules only.',
						},
					],
				},
			],
		},
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
	{
		files: ['package.json'],
		extends: [community],
		plugins: { 'n8n-nodes-base': n8nNodesBase },
		languageOptions: { parser: tseslint.parser, parserOptions: { extraFileExtensions: ['.json'] } },
		rules: { ...n8nNodesBase.configs.community.rules },
	},

	{
		files: tests,
		extends: [jest.configs['flat/recommended'], jest.configs['flat/style']],
		rules: {
			'jest/consistent-test-it': ['error', { fn: 'test', withinDescribe: 'it' }],
			'jest/expect-expect': ['error', { assertFunctionNames: ['expect', 'expect*'] }],
			// Jest's asymmetric matchers are `any`; n8n's contexts require methods that do nothing.
			'@typescript-eslint/no-unsafe-assignment': 'off',
			'@typescript-eslint/no-empty-function': 'off',
		},
	},

	{
		// Jest calls the default export of the files that start and stop n8n for a suite.
		files: ['test/**/start.ts', 'test/*/stop.ts', 'test/support/temporaryFolder.ts'],
		rules: { 'import-x/no-default-export': 'off' },
	},

	// Build scripts and config files: plain CommonJS / ESM on Node.
	{
		files: [
			...['*.js', '*.cjs', '.*.js', 'scripts/*.js', 'n8n/*.js', 'bench/*.js'],
			'findings/support/*.cjs',
		],
		extends: [js.configs.recommended],
		languageOptions: {
			sourceType: 'commonjs',
			globals: {
				require: 'readonly',
				module: 'writable',
				exports: 'writable',
				process: 'readonly',
				AbortController: 'readonly',
				console: 'readonly',
				clearInterval: 'readonly',
				clearTimeout: 'readonly',
				setInterval: 'readonly',
				setTimeout: 'readonly',
				__dirname: 'readonly',
				__filename: 'readonly',
			},
		},
	},
	{ files: ['*.mjs'], extends: [js.configs.recommended] },
);
