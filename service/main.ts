import { parseArgs } from 'node:util';

import { SAMPLE_AVATAR_ID, type ServiceOptions } from './options';
import { startService } from './service';

const usage = `A stand-in for the service: its whole API on 127.0.0.1, with its records in memory.

  npx tsx service/main.ts [options]

  --port <number>        Port of the API (4010; 0 for any free port)
  --files-port <number>  Port of the files host (4011; 0 for any free port)
  --assets <number>      Number of additional assets with generated files (0)
  --options <json>       Any of the ServiceOptions in service/options.ts, such as
                         '{ "speechResponse": "file", "pagination": { "firstPage": 0 } }'
  --help                 Show this text
`;

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			'files-port': { type: 'string', default: '4011' },
			assets: { type: 'string', default: '0' },
			options: { type: 'string', default: '{}' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		process.stdout.write(usage);
		return;
	}
	const service = await startService({
		port: Number(values.port),
		filesPort: Number(values['files-port']),
		speechResponse: 'link',
		avatarIds: [SAMPLE_AVATAR_ID],
		...(JSON.parse(values.options) as ServiceOptions),
	});
	service.addAssets(Number(values.assets));
	process.once('SIGINT', () => void service.close());
	process.once('SIGTERM', () => void service.close());
	process.stdout.write(`The service is running. Press Ctrl+C to stop it.

  Base URL  ${service.url}
  API key   ${service.apiKey}
  Avatar    ${SAMPLE_AVATAR_ID}
  Files     ${service.filesUrl}

  curl -H 'x-api-key: ${service.apiKey}' -H 'accept: application/json' ${service.url}/v1/assets
`);
}

main().catch((error: Error & { code?: string; port?: number }) => {
	process.stderr.write(
		error.code === 'EADDRINUSE'
			? `Port ${error.port} is in use. Choose others with --port and --files-port (0 for any free port).\n`
			: `${error.message}\n\n${usage}`,
	);
	process.exitCode = 1;
});
