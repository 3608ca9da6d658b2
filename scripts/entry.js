'use strict';
require('./nodeVersion');
const { abortOnSignals } = require('./signals');
const { printError } = require('./userError');

/**
 * Runs a command of this project: passes a signal on to it that is aborted by Ctrl-C, prints its
 * error and sets the exit code.
 *
 * @param {(args: string[], signal: AbortSignal) => Promise<number | void>} command
 */
async function runEntry(command) {
	const signal = abortOnSignals();
	try {
		process.exitCode = (await command(process.argv.slice(2), signal)) ?? process.exitCode;
	} catch (error) {
		process.exitCode = signal.aborted ? 130 : 1;
		if (signal.aborted) process.stderr.write('\nInterrupted. Start again to go on.\n');
		else printError(error);
	}
}

module.exports = { runEntry };
