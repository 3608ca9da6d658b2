import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { packNode } from '../../n8n/nodePackage';
import { findFreePorts } from '../../n8n/ports';
import { whenDone } from '../editor/stop';

import { startWithSwitch } from './switch';
import { publishWorld } from './world';

/** Starts one real n8n for the whole suite, in a folder that is removed afterwards. */
export default async function start(): Promise<void> {
	const userFolder = mkdtempSync(join(tmpdir(), 'avatar-studio-n8n-'));
	whenDone(() => rmSync(userFolder, { recursive: true, force: true }));
	const ports = await findFreePorts();
	const running = await startWithSwitch({
		userFolder,
		port: ports.n8n,
		brokerPort: ports.broker,
		// The same one after a restart, whatever happens to the sources meanwhile.
		nodePackage: await packNode(),
	});
	whenDone(() => running.close());
	publishWorld({ url: running.n8n.url, logFile: running.n8n.logFile, switchUrl: running.url });
}
