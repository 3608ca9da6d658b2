import { delimiter, dirname } from 'node:path';

import { isVersion1, n8nCommand } from './installation';
import type { Owner } from './owner';

/** Variables of this shell that configure another n8n, or the npm that started this process. */
const FOREIGN =
	/^(N8N_|DB_|EXECUTIONS_|QUEUE_|NODES_|CREDENTIALS_|WEBHOOK_URL|npm_|NODE_OPTIONS|NODE_ENV)/;
const PROXY = /^(HTTPS?|ALL)_PROXY$/i;
// Windows spells it "Path".
const PATH = /^path$/i;

/** The variables that are the same for each n8n. */
const FIXED = {
	NODE_ENV: 'production',
	DB_TYPE: 'sqlite',
	GENERIC_TIMEZONE: 'UTC',
	EXTERNAL_FRONTEND_HOOKS_URLS: '',
	N8N_HOST: '127.0.0.1',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_SECURE_COOKIE: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_AI_ENABLED: 'false',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
};

/**
 * Creates the environment of an n8n that listens on 127.0.0.1 only and contacts no other server.
 * Settings for another n8n are left out, and so are proxies, which would receive its calls to the
 * stand-in.
 */
export function createEnvironment(options: {
	version?: string;
	userFolder: string;
	/** Ports of the editor, which a worker does not have, and of the task broker; 0 is any free port. */
	ports?: { n8n?: number; broker: number };
	/** Created by n8n when it starts. A worker has no owner. */
	owner?: Owner;
	/** Overrides the variables set here. */
	env?: NodeJS.ProcessEnv;
}): NodeJS.ProcessEnv {
	const kept = Object.entries(process.env).filter(
		([name]) => !FOREIGN.test(name) && !PROXY.test(name) && !PATH.test(name),
	);
	const path = Object.entries(process.env).find(([name]) => PATH.test(name))?.[1];
	return {
		...Object.fromEntries(kept),
		// n8n starts its task runner with "node".
		PATH: [dirname(n8nCommand(options.version)[0]), path].filter(Boolean).join(delimiter),
		...FIXED,
		N8N_USER_FOLDER: options.userFolder,
		N8N_PORT: String(options.ports?.n8n ?? 0),
		N8N_RUNNERS_BROKER_PORT: String(options.ports?.broker ?? 0),
		...(options.owner ? ownerVariables(options.owner) : {}),
		// Without its assistant, n8n opens on the list of workflows. n8n 1.x refuses unknown modules.
		...(isVersion1(options.version)
			? // With one connection, two executions that write to data tables at once break each other's transaction.
				{ DB_SQLITE_POOL_SIZE: '3' }
			: { N8N_DISABLED_MODULES: 'mcp-registry,instance-ai' }),
		...options.env,
	};
}

function ownerVariables({ email, firstName, lastName, passwordHash }: Owner): NodeJS.ProcessEnv {
	return {
		N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'true',
		N8N_INSTANCE_OWNER_EMAIL: email,
		N8N_INSTANCE_OWNER_FIRST_NAME: firstName,
		N8N_INSTANCE_OWNER_LAST_NAME: lastName,
		N8N_INSTANCE_OWNER_PASSWORD_HASH: passwordHash,
	};
}
