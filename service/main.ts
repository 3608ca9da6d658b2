import { parseArgs } from 'node:util';

import { startService, type Service, type ServiceOptions } from './service';

const usage = `The stand-in for the service: its whole API on 127.0.0.1, state in memory.

  npx tsx service/main.ts [options]

  --port <number>        port of the API (4010; 0 is any free port)
  --files-port <number>  port of the files host (4011; 0 is any free port)
  --api-key <key>        key that requests must carry (demo-key)
  --base-path <path>     serve below a path prefix, for instance /studio
  --speech <answer>      empty, link, audio, text, noContent or array (link)
  --video <answer>       empty, id, link, text, noContent, file or array (id)
  --first-page <number>  number of the first page of assets, 0 or 1 (1)
  --assets <number>      so many more assets with made-up files (0)
  --latency <ms>         time before every answer (0)
  --help                 this text
`;

const speechResponses = ['empty', 'link', 'audio', 'text', 'noContent', 'array'] as const;
const videoResponses = ['empty', 'id', 'link', 'text', 'noContent', 'file', 'array'] as const;

class UsageError extends Error {}

function readArguments() {
	try {
		return parseArgs({
			options: {
				port: { type: 'string', default: '4010' },
				'files-port': { type: 'string', default: '4011' },
				'api-key': { type: 'string', default: 'demo-key' },
				'base-path': { type: 'string', default: '' },
				speech: { type: 'string', default: 'link' },
				video: { type: 'string', default: 'id' },
				'first-page': { type: 'string', default: '1' },
				assets: { type: 'string', default: '0' },
				latency: { type: 'string', default: '0' },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		throw new UsageError(error instanceof Error ? error.message : String(error));
	}
}

function number(name: string, value: string): number {
	if (/^\d+$/.test(value)) return Number(value);
	throw new UsageError(`--${name} must be a whole number, it is "${value}".`);
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
	const found = allowed.find((candidate) => candidate === value);
	if (found !== undefined) return found;
	throw new UsageError(`--${name} must be one of ${allowed.join(', ')}, it is "${value}".`);
}

function optionsFrom(values: ReturnType<typeof readArguments>): ServiceOptions {
	return {
		port: number('port', values.port),
		filesPort: number('files-port', values['files-port']),
		apiKey: values['api-key'],
		basePath: values['base-path'],
		speechResponse: oneOf('speech', values.speech, speechResponses),
		videoResponse: oneOf('video', values.video, videoResponses),
		pagination: {
			firstPage: oneOf('first-page', values['first-page'], ['0', '1']) === '0' ? 0 : 1,
		},
		latencyMs: number('latency', values.latency),
	};
}

function greeting({ url, filesUrl, apiKey }: Service): string {
	return `The service listens. It ends with Ctrl+C.

  Base URL  ${url}
  API key   ${apiKey}
  Files     ${filesUrl}

  curl -H 'x-api-key: ${apiKey}' -H 'accept: application/json' ${url}/v1/assets
`;
}

function explain(error: unknown): string {
	if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
	const { code, port } = error as { code?: string; port?: number };
	if (code === 'EADDRINUSE') {
		return `Port ${port} is in use. Choose others with --port and --files-port (0 is any free).\n`;
	}
	return `The service could not start: ${String(error)}\n`;
}

async function main(): Promise<void> {
	const values = readArguments();
	if (values.help) {
		process.stdout.write(usage);
		return;
	}
	const options = optionsFrom(values);
	const more = number('assets', values.assets);
	const service = await startService(options);
	service.addAssets(more);
	const end = () => void service.close();
	process.once('SIGINT', end);
	process.once('SIGTERM', end);
	process.stdout.write(greeting(service));
}

main().catch((error: unknown) => {
	process.stderr.write(explain(error));
	process.exitCode = 1;
});
