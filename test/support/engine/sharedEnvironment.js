'use strict';
const { TestEnvironment } = require('jest-environment-node');

let first;

/** Gives all test files of a process one global object, so that n8n stays loaded: see warmRuntime.js. */
module.exports = class SharedEnvironment extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		first ??= { ...this };
		Object.assign(this, first);
	}

	/** The next test file needs all but the clock. */
	async teardown() {
		this.fakeTimersModern.dispose();
	}
};
