import { createExampleCredentials, exampleTables, readExamples } from '../../n8n/examples';
import { packNode } from '../../n8n/nodePackage';
import { findFreePorts } from '../../n8n/ports';
import createTemporaryFolder from '../support/temporaryFolder';

import { startServer } from './servers';

/** Starts a real n8n of each version. Jest calls it once for all projects. */
export default async function start(
	_config: unknown,
	{ globals }: { globals: { N8N_VERSIONS: string[] } },
): Promise<void> {
	createTemporaryFolder();
	// Packed once, not by each of them.
	await packNode();
	await Promise.all(globals.N8N_VERSIONS.map(startVersion));
}

async function startVersion(version: string): Promise<void> {
	const ports = await findFreePorts();
	await startServer(version, {
		version,
		ports,
		credentials: createExampleCredentials(ports),
		workflows: readExamples(),
		dataTables: exampleTables,
		// The spec file of the examples publishes them, once their stand-in runs.
		publish: () => false,
	});
}
