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
	 * Keeps everything for the next test file but the fake clock and the AsyncLocalStorages that Jest
	 * leaves behind. With each of those left enabled, every promise takes longer.
	 */
	async teardown() {
		this.fakeTimersModern.dispose();
		for (const storage of storages) storage.disable();
		storages.clear();
	}
};
