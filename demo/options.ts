import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { projectRoot } from '../n8n/installation';
import { UserError } from '../scripts/userError';
import type { ServiceOptions } from '../service/service';

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

What the stand-in does:
  --as-specified      only what the service's specification says: no look-up of a video, no avatars
  --render-seconds N  render a video for so long (default 3)
  --fail-renderings   fail at the end of each rendering
  --trial             refuse the links to videos without a watermark
  --callbacks N       call back so many times for a finished video (default 1)
`;

const flag = { type: 'boolean', default: false } as const;

const FAILURE = 'The rendering failed, as --fail-renderings says.';

export type StartOptions = ReturnType<typeof parseOptions>;

/** @throws UserError if there is no such option, or a port is none */
export function parseOptions(args: string[]) {
	try {
		const { values } = parseArgs({
			args,
			options: {
				port: { type: 'string', default: '5678' },
				folder: { type: 'string', default: DEFAULT_FOLDER },
				fresh: flag,
				watch: flag,
				check: flag,
				help: flag,
				'as-specified': { type: 'boolean' },
				'render-seconds': { type: 'string' },
				'fail-renderings': flag,
				trial: flag,
				callbacks: { type: 'string' },
			},
		});
		const { port, folder, fresh, watch, check, help } = values;
		if (!/^\d+$/.test(port) || Number(port) < 1024 || Number(port) > HIGHEST_PORT) {
			throw new Error(`--port ${port} is not a whole number from 1024 to ${HIGHEST_PORT}.`);
		}
		const service: ServiceOptions = {
			asSpecified: values['as-specified'],
			rendering: {
				seconds: parseCount(values, 'render-seconds'),
				failure: values['fail-renderings'] ? FAILURE : undefined,
				isTrial: values.trial,
				callbacks: parseCount(values, 'callbacks'),
			},
		};
		return { fresh, watch, check, help, port: Number(port), folder: resolve(folder), service };
	} catch (error) {
		throw new UserError((error as Error).message, 'npm start -- --help lists the options.');
	}
}

/** @throws Error if the value of an option is no whole number */
function parseCount<Name extends string>(
	values: Partial<Record<Name, string>>,
	name: Name,
): number | undefined {
	const value = values[name];
	if (value === undefined) return undefined;
	if (!/^\d+$/.test(value)) throw new Error(`--${name} ${value} is not a whole number.`);
	return Number(value);
}
