'use strict';
require('./nodeVersion');
const { runEntry } = require('./entry');
const { install } = require('./install');
const { n8nFolder, projectRoot } = require('./n8nFolder');
const { HELP, parseOptions } = require('./startOptions');

/** npm start: installs what is missing, then starts the demo or runs the checks. */
void runEntry(async (args, signal) => {
	const options = parseOptions(args);
	if (options.help) return void process.stdout.write(HELP);
	await install([projectRoot, n8nFolder()], signal);
	// Only now is the TypeScript loader installed.
	const { runDemo } = require('tsx/cjs/api').require('../demo/main.ts', __filename);
	return await runDemo(options, signal);
});
