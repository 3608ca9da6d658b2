'use strict';
const { default: TestRunner } = require('jest-runner');

/** What earlier runs of this process have shown of each test file. */
const known = new Map();

/**
 * Runs the test files with a wanted test, the fastest first, until one fails. Stryker passes on the
 * names of the tests that cover a mutant, but not their files, and Jest would load all of them.
 */
module.exports = class CoveringTestRunner extends TestRunner {
	async runTests(tests, watcher, options) {
		let isNoticed = false;
		this.on('test-file-failure', () => (isNoticed = true));
		this.on('test-file-success', ([{ path }, { numFailingTests, perfStats, testResults }]) => {
			isNoticed ||= numFailingTests > 0;
			const names = testResults.map(({ fullName }) => fullName);
			// A run in which most tests are skipped says nothing about how long the file takes.
			if (!known.has(path)) known.set(path, { names, ms: perfStats.runtime });
		});
		const wanted = new RegExp(this._globalConfig.testNamePattern ?? '', 'i');
		const getMs = ({ path }) => known.get(path)?.ms ?? Infinity;
		const covering = tests
			.filter(({ path }) => known.get(path)?.names.some((name) => wanted.test(name)) ?? true)
			.sort((one, other) => getMs(one) - getMs(other));
		for (const test of covering) {
			if (!isNoticed) await super.runTests([test], watcher, options);
		}
	}
};
