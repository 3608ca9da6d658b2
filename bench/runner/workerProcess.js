'use strict';
// A child process that serves the functions of one TypeScript module. The TypeScript loader is
// removed before any of them runs, so that n8n loads its own files as it always does.
const { register } = require('tsx/cjs/api');

const unregister = register();
const functions = require(String(process.argv[2]));
unregister();

process.on('message', async (/** @type {{ name: string, args: unknown[] }} */ { name, args }) => {
	try {
		process.send?.({ value: await functions[name](...args) });
	} catch (error) {
		process.send?.({ error: error instanceof Error ? error.stack : String(error) });
	}
});
process.on('disconnect', () => process.exit());
