import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createExampleCredentials, exampleTables, readExamples } from '../../n8n/examples';
import { packNode, type NodePackage } from '../../n8n/nodePackage';
import { findFreePorts } from '../../n8n/ports';
import { whenDone } from '../editor/stop';
import createTemporaryFolder from '../support/temporaryFolder';

import { publishServers } from './servers';
import { startWithSwitch } from './switch';

/**
 * Starts a real n8n of each version. Jest calls it once for
 * all projects.
 */
export default async function start(
	_config: unknown,
	{ globals }: { globals: { N8N_VERSIONS: string[] } },
): Promise<void> {
	createTemporaryFolder();
	// Packed once, so that a restart uses the same package even if the sources changed meanwhile.
	const nodePackage = await packNode();
	await Promise.all(globals.N8N_VERSIONS.map((version) => startVersion(version, nodePackage)));
}

async function startVersion(version: string, nodePackage: NodePackage): Promise<void> {
	const userFolder = mkdtempSync(join(tmpdir(), 'avatar-studio-n8n-'));
	const ports = await findFreePorts();
	const running = await startWithSwitch({
		version,
		userFolder,
		port: ports.n8n,
		brokerPort: ports.broker,
		credentials: createExampleCredentials(ports),
		workflows: readExamples(),
		dataTables: exampleTables,
		// The spec file of the examples publishes them, once their stand-in runs.
		publish: () => false,
		nodePackage,
	});
	whenDone(() => running.close());
	const { url, logFile } = running.n8n;
	const cookies = await running.n8n.logIn();
	publishServers(version, { url, cookies, logFile, switchUrl: running.url, examplePorts: ports });
}
