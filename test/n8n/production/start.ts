import createTemporaryFolder from '../../support/temporaryFolder';

import { requireServers } from './servers';

/** Ends the suite at once on a machine that lacks a server, rather than in each spec file. */
export default function start(): void {
	requireServers();
	createTemporaryFolder();
}
