'use strict';

/**
 * Returns a signal that is aborted by Ctrl-C, by SIGTERM and when the terminal is closed. A second
 * Ctrl-C exits at once, in case stopping takes too long.
 */
function abortOnSignals() {
	const controller = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(name, () => {
			if (controller.signal.aborted) process.exit(130);
			controller.abort(new Error(name));
		});
	}
	return controller.signal;
}

module.exports = { abortOnSignals };
