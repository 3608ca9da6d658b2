'use strict';
const { runEntry } = require('./entry');
const { mkdirSync } = require('node:fs');

const { installN8n, installProject } = require('./install');
const { takeLock } = require('./lock');
const { HELP, parseOptions } = require('./startOptions');
const { UserError } = require('./userError');

/** npm start: installs what is missing, then starts the demo or runs the checks. */
void runEntry(async (args, signal) => {
	const options = parseOptions(args);
	if (options.help) {
		process.stdout.write(HELP);
		return;
	}
	// A check uses a temporary folder, so it may run while a demo is running.
	if (!options.check) await lockFolder(options);
	await installProject(signal);
	await installN8n({ signal });
	// Only now is the TypeScript loader installed.
	const { runDemo } = require('tsx/cjs/api').require('../demo/main.ts', __filename);
	return await runDemo(options, signal);
});

/** @param {import('./startOptions').StartOptions} options */
async function lockFolder({ folder, port }) {
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	if (await takeLock(folder)) return;
	throw new UserError(
		`A demo already runs in ${folder}.`,
		'Use that one, or end it with Ctrl-C first. To run a second one beside it:\n' +
			`npm start -- --folder .demo/second --port ${port + 10}`,
	);
}
