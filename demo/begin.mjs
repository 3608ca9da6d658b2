import { mkdirSync } from 'node:fs';
import path from 'node:path';

import { Explained, printError } from './explained.cjs';
import { installN8n, installProject } from './install.mjs';
import { takeLock } from './lock.mjs';
import { HELP, parseOptions } from './options.mjs';
import { abortOnSignals } from './signals.mjs';

/** Installs what is missing, then starts the demo or runs the check. */
export async function begin() {
	const signal = abortOnSignals();
	try {
		const options = parseOptions(process.argv.slice(2));
		if (options.help) {
			process.stdout.write(HELP);
		} else {
			// A check works in a temporary folder, so it may run beside a demo.
			if (!options.check) lockFolder(options);
			await installProject(signal);
			await installN8n({ signal, prebuiltSqlite: options.prebuiltSqlite });
			// Only now is there a TypeScript loader to import.
			const { require: requireTypeScript } = await import('tsx/cjs/api');
			const { runDemo } = requireTypeScript('./main.ts', import.meta.url);
			process.exitCode = await runDemo(options, signal);
		}
	} catch (error) {
		process.exitCode = 1;
		if (signal.aborted) {
			process.exitCode = 130;
			process.stderr.write('\nInterrupted. Start again to go on.\n');
		} else {
			printError(error);
		}
	}
}

function lockFolder({ folder, port }) {
	mkdirSync(folder, { recursive: true });
	const lock = takeLock(path.join(folder, 'demo.lock'), { login: `http://127.0.0.1:${port + 4}/` });
	if ('release' in lock) return;
	throw new Explained(
		`A demo already runs in ${folder} (process ${lock.holder.pid}): ${lock.holder.login}`,
		'Use that one, or end it with Ctrl-C first. For a second one beside it:\n' +
			`npm start -- --folder .demo/second --port ${port + 10}`,
	);
}
