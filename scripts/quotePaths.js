'use strict';
// Loaded into n8n with --require, for folders with an apostrophe in their name: n8n loads a node by
// running "new (require('<path>').<class>)()", in which it does not escape the path (n8n-core,
// loadClassInIsolation).
const vm = require('node:vm');

const LOAD_CLASS = /^new \(require\('(.+)'\)\.(\w+)\)\(\)$/;

vm.Script = class extends vm.Script {
	/** @param {ConstructorParameters<typeof vm.Script>} args */
	constructor(...[code, options]) {
		const [, file, name] = LOAD_CLASS.exec(code) ?? [];
		super(file ? `new (require(${JSON.stringify(file)}).${name})()` : code, options);
	}
};
