import { LOGIN_ENVIRONMENT } from '../../demo/loginLink';
import { startServer } from '../n8n/servers';
import createTemporaryFolder from '../support/temporaryFolder';

import { SERVER } from './editor';
import { findBrowser } from './playwright';

/** Starts one real n8n for the whole suite. */
export default async function start(): Promise<void> {
	findBrowser();
	createTemporaryFolder();
	await startServer(SERVER, { env: LOGIN_ENVIRONMENT });
}
