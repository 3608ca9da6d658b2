import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { runEntry } from '../n8n/entry';
import {
	createExampleCredentials,
	exampleTables,
	readExamples,
	startExampleServices,
} from '../n8n/examples';
import { startN8n } from '../n8n/n8n';
import { installedNodeFolder } from '../n8n/nodePackage';
import { derivePorts, isFree, requireFree } from '../n8n/ports';
import { clearUserFolder, PORT_FILE } from '../n8n/userFolder';
import { UserError } from '../scripts/userError';

import { checkExamples } from './check';
import { createLoginLink, LOGIN_ENVIRONMENT } from './loginLink';
import { DEFAULT_FOLDER, HELP, parseOptions, type StartOptions } from './options';
import { watchNode } from './watch';
import { formatWelcome } from './welcome';

/** npm start: runs the demo until it is interrupted, or the check. */
void runEntry(async (args, signal) => {
	const options = parseOptions(args);
	if (options.help) return say(HELP);
	return options.check
		? await checkExamples(options.service, say, signal)
		: await serve(options, signal);
});

async function serve(options: StartOptions, signal: AbortSignal): Promise<number> {
	const startedAt = Date.now();
	const ports = derivePorts(options.port);
	await requireNoDemo(options);
	const isElsewhere = options.folder !== DEFAULT_FOLDER;
	await requireFree(ports, isElsewhere ? ` --folder ${options.folder}` : '');
	if (options.fresh) clearUserFolder(options.folder);
	const running: (() => Promise<void>)[] = [];
	try {
		const services = await startExampleServices(ports, options.service);
		running.unshift(() => services.close());
		const workflows = readExamples();
		const n8n = await startN8n({
			userFolder: options.folder,
			ports,
			credentials: createExampleCredentials(ports),
			workflows,
			dataTables: exampleTables,
			env: { ...LOGIN_ENVIRONMENT, ...(options.watch && { N8N_DEV_RELOAD: 'true' }) },
			signal,
			onStep: (step) => say(`  ${step}`),
		});
		running.unshift(() => n8n.stop());
		writeFileSync(join(options.folder, PORT_FILE), String(ports.service));

		say(
			formatWelcome({
				seconds: Math.round((Date.now() - startedAt) / 1000),
				login: createLoginLink(n8n),
				n8n: n8n.url,
				owner: n8n.owner,
				service: services.service,
				isAsSpecified: options.service.asSpecified,
				folder: options.folder,
				workflows,
			}),
		);
		if (options.watch) {
			say('\nA saved change of nodes/ or credentials/ is in n8n within seconds.\n');
			const folder = installedNodeFolder(options.folder);
			running.unshift(watchNode(join(folder, 'dist'), say));
		}
		await Promise.race([aborted(signal), n8n.ended]);
		if (!signal.aborted) {
			throw new UserError(
				'n8n has ended by itself.',
				`Its log is ${n8n.logFile}. Start again to go on.`,
			);
		}
		say('\nStopping …');
	} finally {
		for (const stop of running) await stop();
	}
	say('Stopped. The next start goes on from here.');
	return 0;
}

/** @throws UserError if a demo runs in the folder, in which each notes the port of its stand-in */
async function requireNoDemo({ folder, port }: StartOptions): Promise<void> {
	const file = join(folder, PORT_FILE);
	if (!existsSync(file) || (await isFree(Number(readFileSync(file, 'utf8'))))) return;
	throw new UserError(
		`A demo already runs in ${folder}.`,
		'Use that one, or end it with Ctrl-C first. To run a second one beside it:\n' +
			`npm start -- --folder .demo/second --port ${port + 10}`,
	);
}

async function aborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
