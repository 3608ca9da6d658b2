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

const DISK_HINT = 'Free about 4 GB, then start again.';
const ACCESS_HINT =
	'Check that the project folder and the npm cache ("npm config get cache") belong to you, then ' +
	'start again.';

/**
 * What to do about errors of the operating system, by their code.
 *
 * @type {Record<string, string>}
 */
const SYSTEM_HINTS = {
	ENOSPC: DISK_HINT,
	EDQUOT: DISK_HINT,
	EACCES: ACCESS_HINT,
	EPERM: ACCESS_HINT,
	EROFS: ACCESS_HINT,
};

/**
 * Prints an error: a UserError, and one of the operating system, as message and hint; anything
 * else with its stack.
 *
 * @param {unknown} error
 */
function printError(error) {
	const { message, stack, hint, code } = /** @type {UserError & { code?: string }} */ (
		error instanceof Error ? error : new Error(String(error))
	);
	// By its shape, because Jest and tsx load the class a second time.
	const advice = hint ?? SYSTEM_HINTS[code ?? ''];
	process.stderr.write(advice ? `\n${message}\n\n${advice}\n` : `\n${stack}\n`);
}

module.exports = { ACCESS_HINT, DISK_HINT, UserError, printError };
