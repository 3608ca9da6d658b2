import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lists the files and folders that a page mentions and that do not exist. Their paths start at the
 * root, at the folder of the nodes, or at the folder of the page.
 */
export function findMissing(text: string, root: string, folder = '.'): string[] {
	const bases = ['.', 'nodes/AvatarStudio', folder].map((base) => join(root, base));
	return Array.from(text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/?)`/g), ([, path]) => path!)
		.filter((path) => path.endsWith('/') || /\/.*\.(?:ts|js|mjs|md|json|ya?ml)$/.test(path))
		.filter((path) => !bases.some((base) => existsSync(join(base, path))));
}
