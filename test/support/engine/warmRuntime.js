'use strict';
const { default: Runtime } = require('jest-runtime');

let current;
let packages = [];

/**
 * Keeps packages loaded from one test file to the next: n8n takes two seconds to load. The project's
 * own files are loaded anew, with their state.
 */
module.exports = class WarmRuntime extends Runtime {
	constructor(...args) {
		super(...args);
		current = this;
		for (const [file, module] of packages) this.registries.getActiveCjsRegistry().set(file, module);
	}

	/** n8n, which an earlier runtime loaded, requires the node for the current test file. */
	requireModuleOrMock(from, name) {
		return this === current
			? super.requireModuleOrMock(from, name)
			: current.requireModuleOrMock(from, name);
	}

	teardown() {
		const modules = [...this.registries.getActiveCjsRegistry()];
		packages = modules.filter(([file]) => file.includes('/node_modules/'));
		super.teardown();
	}
};
