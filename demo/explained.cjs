'use strict';

/** An error a person can act on: what happened, and the way on. It is shown without a stack. */
exports.Explained = class Explained extends Error {
	constructor(message, wayOn) {
		super(message);
		this.wayOn = wayOn;
	}
};

/** Prints an error: an explained one in two parts, anything else with its stack. */
exports.printError = (error) => {
	const shown =
		error instanceof Error && 'wayOn' in error
			? `${error.message}\n\n${error.wayOn}`
			: (error?.stack ?? String(error));
	process.stderr.write(`\n${shown}\n`);
};
