import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { projectRoot } from '../n8n/installation';
import { UserError } from '../scripts/userError';

/** The last port that leaves room for the four ports after it. */
const HIGHEST_PORT = 65_531;

export const DEFAULT_FOLDER = join(projectRoot, '.demo');

export const HELP = `npm start [-- options]

Starts a real n8n with this node in it, next to a stand-in for the service, and prints the
address that opens the editor. Ctrl-C stops both. The first start installs what is missing.

  --port N      port of n8n (default 5678); N+1 to N+4 are used as well: task broker,
                stand-in, stand-in's files, language model of the examples
  --folder DIR  where workflows, credentials and executions are kept (default .demo)
  --fresh       forget what is kept there and start from scratch; n8n stays installed
  --watch       put each saved change of the node into the running n8n (npm run dev)
  --check       no editor: run every example workflow once in a fresh n8n, then end
  --help        this text
`;

const flag = { type: 'boolean', default: false } as const;

export type StartOptions = ReturnType<typeof parseOptions>;

/** @throws UserError if there is no such option, or a port is none */
export function parseOptions(args: string[]) {
	try {
		const { port, folder, ...flags } = parseArgs({
			args,
			options: {
				port: { type: 'string', default: '5678' },
				folder: { type: 'string', default: DEFAULT_FOLDER },
				fresh: flag,
				watch: flag,
				check: flag,
				help: flag,
			},
		}).values;
		if (!/^\d+$/.test(port) || Number(port) < 1024 || Number(port) > HIGHEST_PORT) {
			throw new Error(`--port ${port} is not a whole number from 1024 to ${HIGHEST_PORT}.`);
		}
		return { ...flags, port: Number(port), folder: resolve(folder) };
	} catch (error) {
		throw new UserError((error as Error).message, 'npm start -- --help lists the options.');
	}
}
