import { readExamples, startExampleService, toExampleCredential } from '../n8n/examples';
import { startN8n } from '../n8n/n8n';
import { assertFree, portsFrom } from '../n8n/ports';
import { forgetState } from '../n8n/userFolder';
import { UserError } from '../scripts/userError';

import { checkExamples } from './check';
import { startLoginPage } from './loginPage';
import { welcome } from './welcome';

/** The command line, as scripts/startOptions.js reads it. */
export interface DemoOptions {
	port: number;
	servicePort: number;
	folder: string;
	fresh: boolean;
	check: boolean;
}

/** Runs the demo until the signal, or the check to its end, and gives back the exit code. */
export async function runDemo(options: DemoOptions, signal: AbortSignal): Promise<number> {
	return options.check ? await checkExamples(say, signal) : await serve(options, signal);
}

async function serve(options: DemoOptions, signal: AbortSignal): Promise<number> {
	const started = Date.now();
	const ports = portsFrom(options.port, options.servicePort);
	await assertFree(ports);
	if (options.fresh) forgetState(options.folder);
	const running: (() => Promise<void>)[] = [];
	try {
		const service = await startExampleService({ port: ports.service, filesPort: ports.files });
		running.unshift(() => service.close());
		const workflows = readExamples();
		const n8n = await startN8n({
			userFolder: options.folder,
			port: ports.n8n,
			brokerPort: ports.broker,
			credentials: [toExampleCredential(service)],
			workflows,
			signal,
			onStep: (step) => say(`  ${step}`),
		});
		running.unshift(() => n8n.stop());
		const page = await startLoginPage({
			port: ports.login,
			n8nPort: ports.n8n,
			login: () => n8n.login(),
		});
		running.unshift(() => page.close());

		say(
			welcome({
				seconds: Math.round((Date.now() - started) / 1000),
				login: page.url,
				n8n: n8n.url,
				service: service.url,
				folder: options.folder,
				workflows,
			}),
		);
		await Promise.race([aborted(signal), n8n.ended]);
		if (!signal.aborted) {
			throw new UserError(
				'n8n has ended by itself.',
				`What it said last is in ${n8n.logFile}. Start again to go on.`,
			);
		}
		say('\nStopping …');
	} finally {
		for (const stop of running) await stop();
	}
	say('Stopped. The next start goes on from here.');
	return 0;
}

async function aborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

function say(line: string): void {
	process.stdout.write(`${line}\n`);
}
