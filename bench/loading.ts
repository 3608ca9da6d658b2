import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { n8nCommand, n8nFolder } from '../n8n/installation';

import { median } from './median';
import type { NodeName } from './nodes';

const ROUNDS = 11;

/**
 * Measures how many milliseconds the code takes to load in a new process: of ours, all of it.
 *
 * @param folder the unpacked package, as n8n loads it
 */
export function measureLoading(folder: string): Record<NodeName, number> {
	const modules = join(n8nFolder(), 'node_modules');
	const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	const loadOnce = (files: string[]) => {
		const args = ['--expose-gc', join(__dirname, 'loadTime.js'), modules, ...files];
		const env = { ...process.env, NODE_PATH: modules };
		return Number(execFileSync(n8nCommand()[0], args, { encoding: 'utf8', env }));
	};
	const medianMs = (...files: string[]) =>
		median(Array.from({ length: ROUNDS }, () => loadOnce(files)));
	return {
		avatarStudio: medianMs(...[...n8n.nodes, ...n8n.credentials].map((file) => join(folder, file))),
		httpRequest: medianMs(
			join(modules, 'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js'),
		),
	};
}
