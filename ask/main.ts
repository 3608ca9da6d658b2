import { printError } from '../scripts/userError';

import { runCommand } from './command';

const controller = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	// Cleaning up takes no longer than a few requests, so a second signal changes nothing.
	process.on(name, () => {
		if (controller.signal.aborted) return;
		process.stderr.write('\nInterrupted. Cleaning up …\n');
		controller.abort();
	});
}

void runCommand({
	args: process.argv.slice(2),
	env: process.env,
	stdin: process.stdin,
	print: (text) => process.stdout.write(text),
	printMessage: (text) => process.stderr.write(text),
	signal: controller.signal,
}).then(
	(code) => (process.exitCode = code),
	(error: unknown) => {
		process.exitCode = 1;
		printError(error);
	},
);
