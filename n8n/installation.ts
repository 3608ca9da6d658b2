import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import { findNode, n8nFolder } from '../scripts/n8nFolder';
import { UserError } from '../scripts/userError';

export { DEFAULT_VERSION, n8nFolder, projectRoot } from '../scripts/n8nFolder';

/** Requires one of n8n's own dependencies. */
export function requireFromN8n<T>(name: string, version?: string): T {
	return createRequire(join(n8nFolder(version), 'package.json'))(name) as T;
}

/**
 * The command that starts n8n: a Node 24 and n8n's script, with a preload that ends it once the
 * IPC channel to the process that spawned it is closed.
 */
export function n8nCommand(version?: string): [node: string, ...args: string[]] {
	const modules = join(n8nFolder(version), 'node_modules');
	const script = join(modules, 'n8n', 'bin', 'n8n');
	if (!existsSync(script)) {
		throw new UserError(
			'The real n8n is not installed.',
			'Install it with "npm start", then start again.',
		);
	}
	const preload = resolve(__dirname, '..', 'scripts', 'endWithParent.js');
	return [findNode(modules), '--require', preload, script];
}
