import type { Ports } from '../../n8n/ports';
import { Session } from '../../n8n/session';

/** What the suite starts once for all spec files of a version. */
export interface N8nServers {
	/** Address of the real n8n. */
	url: string;
	/** Cookies of the owner's session. */
	cookies: string[];
	/** What n8n keeps, and its log. */
	userFolder: string;
	/** The ports at which the credentials of the example workflows expect the stand-ins. */
	examplePorts: Pick<Ports, 'service' | 'files' | 'model'>;
}

/** Set by test/n8n/jest.config.js. */
declare const N8N_VERSION: string;

const VARIABLE = 'AVATAR_STUDIO_N8N_SERVERS';

/** Passes what was started for a version to the spec files, which run in separate contexts. */
export function publishServers(version: string, getServers: N8nServers): void {
	process.env[VARIABLE] = JSON.stringify({ ...getServersByVersion(), [version]: getServers });
}

/** The version of n8n that this spec file runs on. */
export function n8nVersion(): string {
	return N8N_VERSION;
}

/** A session with the n8n of the version that this spec file runs on. */
export function connect(): Session {
	const { url, cookies } = getServers();
	return new Session(url, async () => await Promise.resolve(cookies), n8nVersion());
}

/** What was started for the version that this spec file runs on. */
export function getServers(): N8nServers {
	return getServersByVersion()[n8nVersion()]!;
}

function getServersByVersion(): Record<string, N8nServers> {
	return JSON.parse(process.env[VARIABLE] ?? '{}') as Record<string, N8nServers>;
}
