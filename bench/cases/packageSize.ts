import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { n8nCommand, n8nFolder } from '../../n8n/installation';
import type { NodePackage } from '../../n8n/nodePackage';
import { findNpm } from '../../scripts/findNpm';
import { summarize } from '../runner/summarize';

/** The size of the package and its load time. */
export interface PackageFigures {
	unpackedKb: number;
	packedKb: number;
	files: number;
	/** Median of the milliseconds to load both nodes and the credential in a new process. */
	loadMs: number;
	/** The same for the HTTP Request node. */
	httpRequestLoadMs: number;
}

/** @param folder the unpacked package, as n8n loads it */
export function measurePackage(
	{ tarball }: NodePackage,
	folder: string,
	rounds: number,
): PackageFigures {
	const modules = join(n8nFolder(), 'node_modules');
	const runNode = (...args: string[]) =>
		execFileSync(n8nCommand()[0], args, {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'inherit'],
			env: { ...process.env, NODE_PATH: modules },
		});
	const medianLoadMs = (files: string[]) => {
		const loadOnce = () => Number(runNode(join(__dirname, 'loadTime.js'), modules, ...files));
		return summarize(Array.from({ length: rounds }, loadOnce)).median;
	};
	const listing = runNode(findNpm(), 'pack', tarball, '--dry-run', '--json', '--silent');
	const [packed] = JSON.parse(listing) as [
		{ size: number; unpackedSize: number; entryCount: number },
	];
	const { n8n } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
		n8n: { nodes: string[]; credentials: string[] };
	};
	return {
		unpackedKb: packed.unpackedSize / 1000,
		packedKb: packed.size / 1000,
		files: packed.entryCount,
		loadMs: medianLoadMs([...n8n.nodes, ...n8n.credentials].map((file) => join(folder, file))),
		httpRequestLoadMs: medianLoadMs([
			join(modules, 'n8n-nodes-base/dist/nodes/HttpRequest/HttpRequest.node.js'),
		]),
	};
}
