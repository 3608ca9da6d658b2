'use strict';
// Runs n8n.ts in a process of its own. The TypeScript loader is removed before n8n starts, so that
// n8n loads its files as it always does.
const { register } = require('tsx/cjs/api');

const unregister = register();
const functions = /** @type {any} */ (require('./n8n'));
unregister();

process.on('message', async (/** @type {{ name: string, args: unknown[] }} */ { name, args }) => {
	try {
		process.send?.({ value: await functions[name](...args) });
	} catch (error) {
		process.send?.({ error: error instanceof Error ? error.stack : String(error) });
	}
});
process.on('disconnect', () => process.exit());
