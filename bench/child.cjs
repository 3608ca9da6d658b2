'use strict';
// A child process: one TypeScript module whose functions the bench calls. The loader is taken
// out again before any of them runs, so that n8n loads as it always does.
const { register } = require('tsx/cjs/api');

const unregister = register();
const { answers } = require(process.argv[2]);
unregister();

let turn = Promise.resolve();
process.on('message', ({ id, name, args }) => {
	turn = turn.then(async () => {
		try {
			process.send({ id, answer: await answers[name](...args) });
		} catch (error) {
			process.send({ id, error: error?.stack ?? String(error) });
		}
	});
});
process.on('disconnect', () => process.exit());
