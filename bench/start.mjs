import { installN8n, installProject } from '../scripts/install.js';
import { printError } from '../scripts/userError.js';
import { abortOnSignals } from '../scripts/signals.js';
import { HELP, parseOptions } from './options.mjs';

const signal = abortOnSignals();
try {
	const options = parseOptions(process.argv.slice(2));
	if (options.help) {
		process.stdout.write(HELP);
	} else {
		await installProject(signal);
		await installN8n({ signal });
		// Only now is there a TypeScript loader to import.
		const { require: requireTypeScript } = await import('tsx/cjs/api');
		const { runBench } = requireTypeScript('./main.ts', import.meta.url);
		await runBench(options, signal);
	}
} catch (error) {
	process.exitCode = signal.aborted ? 130 : 1;
	if (signal.aborted) process.stderr.write('\nInterrupted.\n');
	else printError(error);
}
