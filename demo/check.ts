import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkExample, type Outcome } from '../n8n/checkExample';
import {
	createExampleCredentials,
	exampleTables,
	readExamples,
	startExampleServices,
} from '../n8n/examples';
import { startN8n } from '../n8n/n8n';
import { findFreePorts } from '../n8n/ports';
import type { Workflow } from '../n8n/workflow';
import type { ServiceOptions } from '../service/service';

/**
 * Runs every example workflow once in a real n8n with its own folder and prints the results.
 *
 * @returns the exit code
 */
export async function checkExamples(
	options: ServiceOptions,
	say: (line: string) => void,
	signal?: AbortSignal,
): Promise<number> {
	const userFolder = mkdtempSync(join(tmpdir(), 'avatar-studio-check-'));
	const ports = await findFreePorts();
	const services = await startExampleServices(ports, options);
	try {
		const workflows = readExamples();
		const n8n = await startN8n({
			userFolder,
			ports,
			credentials: createExampleCredentials(ports),
			workflows,
			dataTables: exampleTables,
			publish: () => false,
			signal,
			onStep: (step) => say(`  ${step}`),
		});
		const outcomes: Outcome[] = [];
		try {
			for (const workflow of workflows) {
				signal?.throwIfAborted();
				if (options.asSpecified && looksUpVideos(workflow)) {
					say(`skip ${workflow.name}: the service as specified looks up no video`);
					continue;
				}
				const outcome = await checkExample(workflow, n8n.session, services.service);
				say(`${outcome.passed ? 'ok  ' : 'FAIL'} ${workflow.name}: ${outcome.summary}`);
				outcomes.push(outcome);
			}
		} finally {
			await n8n.stop();
		}
		const passed = outcomes.filter((outcome) => outcome.passed).length;
		const failed = outcomes.length - passed;
		say(`${passed} passed, ${failed} failed`);
		return failed === 0 && passed > 0 ? 0 : 1;
	} finally {
		await services.close();
		rmSync(userFolder, { recursive: true, force: true });
	}
}

function looksUpVideos({ nodes }: Workflow): boolean {
	return nodes.some(
		({ parameters: { resource, operation } }) => resource === 'video' && operation === 'get',
	);
}
