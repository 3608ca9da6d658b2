import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { runProgram } from '../n8n/childProcess';
import { n8nCommand, n8nFolder } from '../n8n/installation';
import type { NodePackage } from '../n8n/nodePackage';

import type { Listing, Started } from './n8nChild';
import type { N8nProcesses } from './n8nProcesses';
import { spreadOf, type Spread } from './statistics';

/** Part 4: how large the package is and how long it takes to be there. */
export interface PackageFigures {
	unpackedBytes: number;
	packedBytes: number;
	files: number;
	/** Files that have no business in a package: source maps, build residue, tests. */
	residue: string[];
	/** Milliseconds to load both nodes and the credential in a new process. */
	loadMs: Spread;
	/** The same for the HTTP Request node. */
	httpRequestLoadMs: Spread;
	/** Milliseconds until n8n has the package in its node list after it was added. */
	addedMs: Spread;
	/** Of that, to load the package. */
	loadedMs: Spread;
	/** Milliseconds from the start of n8n until its node list is complete. */
	nodeListMs: number;
	/** Bytes in the editor's types, by node. */
	typesBytes: Listing['typesBytes'];
	httpRequestTypesBytes: number;
}

const RESIDUE = /\.map$|\.tsbuildinfo$|\.test\.|\.ts$/;

/** Measures the packed package. */
export async function measurePackage(
	{ name, tarball }: NodePackage,
	n8n: N8nProcesses,
	{ nodeListMs }: Started,
	rounds: number,
	signal: AbortSignal,
): Promise<PackageFigures> {
	const folder = mkdtempSync(join(tmpdir(), 'avatar-studio-package-'));
	try {
		const unpack = ['tar', '-xzf', tarball, '-C', folder, '--strip-components', '1'];
		await output(unpack, signal);
		const files = filesIn(folder);
		const { n8n: declared } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
			n8n: { nodes: string[]; credentials: string[] };
		};
		const own = [...declared.nodes, ...declared.credentials].map((file) => join(folder, file));
		const base = join(n8nFolder(), 'node_modules', 'n8n-nodes-base');
		const http = join(base, 'dist', 'nodes', 'HttpRequest', 'HttpRequest.node.js');
		const loadTimes: number[] = [];
		const httpLoadTimes: number[] = [];
		for (let round = 0; round < rounds; round++) {
			loadTimes.push(await loadTime(folder, own, signal));
			httpLoadTimes.push(await loadTime(base, [http], signal));
		}
		const child = await n8n.start();
		const listings: Listing[] = [];
		for (let round = 0; round < 3; round++) {
			listings.push(await child.ask('listing', name));
		}
		await child.stop();
		return {
			unpackedBytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
			packedBytes: statSync(tarball).size,
			files: files.length,
			residue: files.filter((file) => RESIDUE.test(file)).map((file) => relative(folder, file)),
			loadMs: spreadOf(loadTimes),
			httpRequestLoadMs: spreadOf(httpLoadTimes),
			addedMs: spreadOf(listings.map(({ addedMs }) => addedMs)),
			loadedMs: spreadOf(listings.map(({ loadedMs }) => loadedMs)),
			nodeListMs,
			typesBytes: listings[0]!.typesBytes,
			httpRequestTypesBytes: listings[0]!.httpRequestBytes,
		};
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function loadTime(folder: string, files: string[], signal: AbortSignal): Promise<number> {
	const [node] = n8nCommand();
	const script = join(__dirname, 'loadTime.cjs');
	const fromN8n = join(n8nFolder(), 'node_modules');
	return Number(await output([node, script, folder, fromN8n, ...files], signal));
}

async function output(command: string[], signal: AbortSignal): Promise<string> {
	const result = await runProgram(command, { cwd: tmpdir(), env: process.env, signal });
	if (result.code !== 0) throw new Error(`${command.join(' ')}\n${result.output}`);
	return result.output;
}

function filesIn(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}
