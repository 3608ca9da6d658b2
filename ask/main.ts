import { runEntry } from '../scripts/entry';

import { runCommand } from './command';

const { env, stdin, stdout } = process;

void runEntry(async (args, signal) => {
	return await runCommand({ args, env, stdin, signal, print: (text) => stdout.write(text) });
});
