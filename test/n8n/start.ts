import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createExampleCredentials, exampleTables, readExamples } from '../../n8n/examples';
import { startN8n } from '../../n8n/n8n';
import { packNode } from '../../n8n/nodePackage';
import { findFreePorts } from '../../n8n/ports';
import { whenDone } from '../editor/stop';
import createTemporaryFolder from '../support/temporaryFolder';

import { publishServers } from './servers';

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
	const userFolder = mkdtempSync(join(tmpdir(), 'avatar-studio-n8n-'));
	const ports = await findFreePorts();
	const n8n = await startN8n({
		version,
		userFolder,
		ports,
		credentials: createExampleCredentials(ports),
		workflows: readExamples(),
		dataTables: exampleTables,
		// The spec file of the examples publishes them, once their stand-in runs.
		publish: () => false,
	});
	whenDone(() => n8n.stop());
	const cookies = await n8n.logIn();
	publishServers(version, { url: n8n.url, cookies, userFolder, examplePorts: ports });
}
