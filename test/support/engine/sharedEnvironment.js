'use strict';
const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

const { run } = AsyncLocalStorage.prototype;
const storages = new Set();
let first;

AsyncLocalStorage.prototype.run = function (...args) {
	storages.add(this);
	return run.apply(this, args);
};

/** Gives all test files of a process one global object, so that n8n stays loaded: see warmRuntime.js. */
module.exports = class SharedEnvironment extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		first ??= { ...this };
		Object.assign(this, first);
	}

	/**
	 * The next test file needs all but the clock, and the storage that Jest leaves behind: Node visits
	 * each one at every promise.
	 */
	async teardown() {
		this.fakeTimersModern.dispose();
		for (const storage of storages) storage.disable();
		storages.clear();
	}
};
