import { join } from 'node:path';

import { runNode, startNode, stopNode } from '../n8n/childProcess';
import { projectRoot } from '../n8n/installation';

const LOAD = `
	const { nodes, credentials } = require('./package.json').n8n;
	for (const file of [...nodes, ...credentials]) {
		for (const type of Object.values(require('./' + file))) new type();
	}`;

/**
 * Builds the node into a folder, and again whenever a source is saved; type errors, and errors
 * of a module that throws while it is loaded, are printed.
 *
 * @returns a function that stops watching
 */
export function watchNode(folder: string, say: (line: string) => void): () => Promise<void> {
	// n8n keeps the old node if a module throws, and does not say so.
	const loadNode = async () => {
		const env = { ...process.env, NODE_PATH: join(projectRoot, 'node_modules') };
		const { code, output } = await runNode(['--eval', LOAD], { cwd: join(folder, '..'), env });
		if (code !== 0) say(`The node cannot be loaded; n8n keeps the one before.\n${output.trim()}`);
	};
	const gulp = join(projectRoot, 'node_modules', 'gulp', 'bin', 'gulp.js');
	const child = startNode([gulp, 'watch', '--silent'], {
		cwd: projectRoot,
		env: { ...process.env, BUILD_FOLDER: folder },
		output: (text) => {
			if (text.trim()) say(text.trim());
			if (text.includes('Watching for file changes')) void loadNode();
		},
	});
	return async () => await stopNode(child);
}
