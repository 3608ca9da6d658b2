import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { findNode, n8nFolder } from '../scripts/n8nFolder';
import { UserError } from '../scripts/userError';

export { DEFAULT_VERSION, n8nFolder, n8nVersions, projectRoot } from '../scripts/n8nFolder';

/** Whether a version of n8n is one of n8n 1.x, whose internal REST API differs. */
export function isVersion1(version?: string): boolean {
	return version?.startsWith('1.') ?? false;
}

/** Requires one of n8n's own dependencies. */
export function requireFromN8n<T>(name: string, version?: string): T {
	return createRequire(join(n8nFolder(version), 'package.json'))(name) as T;
}

/**
 * Returns the command that runs n8n, a Node 24 with n8n's script, to add n8n's arguments to.
 *
 * @throws UserError if this version is not installed
 */
export function n8nCommand(version?: string): [node: string, ...args: string[]] {
	const modules = join(n8nFolder(version), 'node_modules');
	const script = join(modules, 'n8n', 'bin', 'n8n');
	if (!existsSync(script)) {
		throw new UserError('The real n8n is not installed.', 'Install it with "npm start".');
	}
	return [findNode(modules), script];
}
