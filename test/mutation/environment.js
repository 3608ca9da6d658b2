'use strict';
const SharedEnvironment = require('../support/engine/sharedEnvironment');

let isNoticed = false;

/** Ends a test run as soon as a test has noticed the change. */
module.exports = class MutationEnvironment extends SharedEnvironment {
	constructor(config, context) {
		super(config, context);
		isNoticed = false;
		// Where the mutated code finds out which mutant is active.
		const { __STRYKER_ACTIVE_MUTANT__ = '' } = process.env;
		Object.assign(this.global.process.env, { __STRYKER_ACTIVE_MUTANT__ });
		delete this.global.__stryker__;
	}

	handleTestEvent(event) {
		if (event.name === 'test_start' && isNoticed) event.test.mode = 'skip';
		if (event.name === 'test_done') isNoticed ||= event.test.errors.length > 0;
	}
};
