const { TestEnvironment } = require('jest-environment-node');

/**
 * Adds the error of the node's last run to a failed expectation: it is usually the cause, and few
 * tests check it first.
 */
module.exports = class NodeErrorEnvironment extends TestEnvironment {
	/** @param {import('@jest/types').Circus.Event} event */
	handleTestEvent(event) {
		if (event.name === 'test_start') this.global.lastNodeError = undefined;
		if (event.name !== 'test_fn_failure') return;

		const { lastNodeError } = this.global;
		if (lastNodeError && event.error?.stack) {
			event.error.stack = `${lastNodeError}\n\n${event.error.stack}`;
		}
	}
};
