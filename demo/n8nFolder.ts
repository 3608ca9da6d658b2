import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import { Explained } from './explained.cjs';
import { nodeForN8n } from './nodeForN8n.cjs';

/** The project's own folder. */
export const projectRoot = resolve(__dirname, '..');

/** Where the real n8n is installed. */
export const n8nFolder = join(__dirname, 'n8n');

/** Requires a package out of n8n's own dependencies. */
export function requireFromN8n<T>(name: string): T {
	return createRequire(join(n8nFolder, 'package.json'))(name) as T;
}

/** The command line that starts n8n: a Node 24 and n8n's script. */
export function n8nCommand(): [node: string, ...args: string[]] {
	const modules = join(n8nFolder, 'node_modules');
	const script = join(modules, 'n8n', 'bin', 'n8n');
	const node = nodeForN8n(modules);
	if (!existsSync(script)) {
		throw new Explained(
			'The real n8n is not installed.',
			'Install it with "node demo/install.mjs --with-n8n", then start again.',
		);
	}
	return [node, '--require', join(n8nFolder, 'stopWithParent.cjs'), script];
}
