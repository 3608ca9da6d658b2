'use strict';

/** An error the user can act on: what happened and what to do. Printed without a stack trace. */
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
 * Prints an error: a UserError with its hint, a bug of ours with its stack trace.
 *
 * @param {unknown} error
 */
function printError(error) {
	const { message, stack, hint } = /** @type {UserError} */ (error);
	process.stderr.write(`\n${hint ? `${message}\n\n${hint}` : stack}\n`);
}

module.exports = { UserError, printError };
