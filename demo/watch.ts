import { join } from 'node:path';

import { projectRoot } from '../n8n/installation';
import { hasEnded, startNode, stopNode } from '../scripts/childProcess';

/**
 * Builds the node into a folder, and again whenever a source is saved; type errors are printed.
 *
 * @returns a function that stops watching
 */
export function watchNode(folder: string, say: (line: string) => void): () => Promise<void> {
	const gulp = join(projectRoot, 'node_modules', 'gulp', 'bin', 'gulp.js');
	const child = startNode([gulp, 'watch', '--silent'], {
		cwd: projectRoot,
		env: { ...process.env, BUILD_FOLDER: folder },
		output: (text) => {
			if (text.trim()) say(text.trim());
		},
	});
	return async () => {
		if (!hasEnded(child)) await stopNode(child);
	};
}
