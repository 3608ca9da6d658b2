/**
 * One signal for everything that runs: aborted by Ctrl-C, by SIGTERM, and when the terminal is
 * closed. A second Ctrl-C is the person's way out when stopping takes too long.
 */
export function abortOnSignals() {
	const controller = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
		process.on(name, () => {
			if (controller.signal.aborted) process.exit(130);
			controller.abort(new Error(name));
		});
	}
	return controller.signal;
}
