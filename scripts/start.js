'use strict';
const { runEntry } = require('./entry');

const { install, installN8n } = require('./install');
const { HELP, parseOptions } = require('./startOptions');

/** npm start: installs what is missing, then starts the demo or runs the checks. */
void runEntry(async (args, signal) => {
	const options = parseOptions(args);
	if (options.help) {
		process.stdout.write(HELP);
		return;
	}
	await install(signal);
	await installN8n(signal);
	// Only now is the TypeScript loader installed.
	const { runDemo } = require('tsx/cjs/api').require('../demo/main.ts', __filename);
	return await runDemo(options, signal);
});
