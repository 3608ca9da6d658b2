import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLoginLink, LOGIN_ENVIRONMENT } from '../../demo/loginLink';
import { startN8n } from '../../n8n/n8n';
import createTemporaryFolder from '../support/temporaryFolder';

import { findBrowser } from './findBrowser';
import { publishServers } from './servers';
import { whenDone } from './stop';

/** Starts one real n8n for the whole suite. */
export default async function start(): Promise<void> {
	findBrowser();
	createTemporaryFolder();
	const folder = mkdtempSync(join(tmpdir(), 'avatar-studio-editor-'));
	const n8n = await startN8n({ userFolder: join(folder, 'n8n'), env: LOGIN_ENVIRONMENT });
	whenDone(() => n8n.stop());
	publishServers({
		url: n8n.url,
		loginLink: createLoginLink(n8n),
		cookies: await n8n.logIn(),
		profile: join(folder, 'chromium'),
	});
}
