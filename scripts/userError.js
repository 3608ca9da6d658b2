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

/** @typedef {[pattern: RegExp, message: string, hint: string]} Reason */

/** @type {Reason} */
const FULL_DISK = [
	/ENOSPC|EDQUOT|SQLITE_FULL|no space left/i,
	'The disk is full.',
	'Free about 4 GB, then start again.',
];

/** @type {Reason} */
const NO_ACCESS = [
	/EACCES|EPERM|EROFS|SQLITE_(READONLY|CANTOPEN)/,
	'A folder cannot be written.',
	'Check that the project folder and the npm cache ("npm config get cache") belong to you, then ' +
		'start again.',
];

/** Known messages of programs and the operating system, and what to do about them. */
const REASONS = [FULL_DISK, NO_ACCESS];

/**
 * Creates the error for a failed program: the reason, if its output contains a known one, and its
 * last lines.
 *
 * @param {string} title what failed
 * @param {string} output
 * @param {string} hint for an unknown reason
 * @param {Reason[]} reasons
 */
function createProgramError(title, output, hint, reasons = REASONS) {
	const lines = output.split('\n').filter((line) => line.trim() && !/^npm http|^\s+at /.test(line));
	const reason = reasons.find(([pattern]) => pattern.test(lines.join('\n')));
	const message = reason ? `${title}: ${reason[1]}` : title;
	return new UserError(`${message}\n\n${lines.slice(-12).join('\n')}`, reason?.[2] ?? hint);
}

/**
 * Prints an error: a UserError or an operating-system error as message and hint, anything else with
 * its stack trace.
 *
 * @param {unknown} error
 */
function printError(error) {
	const { message, stack, hint, code } = /** @type {UserError & { code?: string }} */ (
		error instanceof Error ? error : new Error(String(error))
	);
	const [, , advice = hint] = REASONS.find(([pattern]) => pattern.test(code ?? '')) ?? [];
	process.stderr.write(advice ? `\n${message}\n\n${advice}\n` : `\n${stack}\n`);
}

module.exports = { FULL_DISK, REASONS, UserError, createProgramError, printError };
