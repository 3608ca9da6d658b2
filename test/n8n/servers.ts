import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startN8n, type N8n, type N8nOptions } from '../../n8n/n8n';
import type { Ports } from '../../n8n/ports';
import { Session } from '../../n8n/session';
import { whenDone } from '../support/stop';

/** A real n8n that a suite starts once for all its spec files. */
interface SuiteServer {
	version?: string;
	url: string;
	/** Cookies of the owner's session; n8n allows too few logins for one per file. */
	cookies: string[];
	/** What n8n keeps, and its log. */
	userFolder: string;
	/** The ports at which the credentials of the example workflows expect the stand-ins. */
	ports?: Ports;
}

/** Set by test/n8n/jest.config.js. */
declare const N8N_VERSION: string;

const VARIABLE = 'AVATAR_STUDIO_N8N_SERVERS';

/**
 * Starts a real n8n in a folder of its own until the end of a suite.
 *
 * @param name by which its spec files find it, which run in separate contexts
 */
export async function startServer(
	name: string,
	options: Omit<N8nOptions, 'userFolder'> & { ports?: Ports },
): Promise<N8n> {
	const userFolder = join(mkdtempSync(join(tmpdir(), 'avatar-studio-n8n-')), 'n8n');
	const n8n = await startN8n({ ...options, userFolder });
	whenDone(() => n8n.stop());
	const { version, ports } = options;
	const cookies = await n8n.logIn();
	const server: SuiteServer = { version, url: n8n.url, cookies, userFolder, ports };
	process.env[VARIABLE] = JSON.stringify({ ...readServers(), [name]: server });
	return n8n;
}

/** The version of n8n that this spec file runs on. */
export function n8nVersion(): string {
	return N8N_VERSION;
}

/** What was started under a name, by default for the version that this spec file runs on. */
export function getServer(name = n8nVersion()): SuiteServer {
	return readServers()[name]!;
}

export function connect({ url, cookies, version } = getServer()): Session {
	return new Session(url, async () => await Promise.resolve(cookies), version);
}

function readServers(): Record<string, SuiteServer> {
	return JSON.parse(process.env[VARIABLE] ?? '{}') as Record<string, SuiteServer>;
}
