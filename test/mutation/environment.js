'use strict';
const { TestEnvironment } = require('jest-environment-node');

let first;
let isNoticed = false;

/** Gives all test files of a process one global object, so that n8n stays loaded: see runtime.js. */
module.exports = class SharedEnvironment extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		first ??= { ...this };
		Object.assign(this, first);
		isNoticed = false;
		// Where the mutated code finds out which mutant is active.
		const { __STRYKER_ACTIVE_MUTANT__ = '' } = process.env;
		Object.assign(this.global.process.env, { __STRYKER_ACTIVE_MUTANT__ });
		delete this.global.__stryker__;
	}

	async teardown() {
		this.fakeTimersModern.dispose();
	}

	/** One test that fails is enough. */
	handleTestEvent(event) {
		if (event.name === 'test_start' && isNoticed) event.test.mode = 'skip';
		if (event.name === 'test_done') isNoticed ||= event.test.errors.length > 0;
	}
};
