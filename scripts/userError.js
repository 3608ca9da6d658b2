'use strict';

/** An error the user can act on: what happened, and what to do about it. Printed without a stack. */
class UserError extends Error {
	/**
	 * @param {string} message
	 * @param {string} hint
	 */
	constructor(message, hint) {
		super(message);
		this.hint = hint;
	}
}

/**
 * Prints an error: a UserError as message and hint, anything else with its stack.
 *
 * @param {unknown} error
 */
function printError(error) {
	// By its shape, because Jest and tsx load this module a second time.
	if (error instanceof Error && 'hint' in error) {
		process.stderr.write(`\n${error.message}\n\n${String(error.hint)}\n`);
	} else {
		process.stderr.write(`\n${error instanceof Error ? error.stack : String(error)}\n`);
	}
}

module.exports = { UserError, printError };
