import { resolve } from 'node:path';

import { packNode, type NodePackage } from '../n8n/nodePackage';

import { comparisons, FILE_BYTES } from './cases/comparisons';
import { measurePackage } from './cases/packageSize';
import { writeDocuments, type Results } from './report/documents';
import { selectKeyFigures } from './report/page';
import { Contenders, type CaseResult } from './runner/contenders';
import { describeMachine } from './runner/machine';
import type { Summary } from './runner/summarize';

type Part = keyof typeof comparisons | 'package';

/** The command line, as start.cjs parses it. */
export interface BenchOptions {
	parts: Part[];
	isComplete: boolean;
	quick: boolean;
	/** A tarball to measure instead of the sources. */
	package?: string;
}

/** Measures the parts and prints their key figures; a complete run is written to docs. */
export async function runBench(options: BenchOptions, signal: AbortSignal): Promise<void> {
	const results = await measureParts(options, signal);
	print('\nAvatar Studio : HTTP Request');
	for (const [name, value] of Object.entries(selectKeyFigures(results))) {
		print(`  ${name.padEnd(40)} ${value}`);
	}
	if (options.isComplete && !options.quick && !options.package) await writeDocuments(results);
}

async function measureParts(
	{ parts, quick, package: tarball }: BenchOptions,
	signal: AbortSignal,
): Promise<Results> {
	const startedAt = performance.now();
	const machine = describeMachine();
	print('Packing the node and starting n8n …');
	const nodePackage = tarball ? givenPackage(tarball) : await packNode(signal);
	const contenders = new Contenders(signal);
	try {
		await contenders.start(nodePackage, FILE_BYTES);
		const compare = async (part: keyof typeof comparisons) => {
			const results: CaseResult[] = [];
			if (!parts.includes(part)) return results;
			for (const benchCase of comparisons[part](quick)) {
				results.push(await contenders.compare(benchCase));
				print(describeCase(results.at(-1)!));
			}
			return results;
		};
		const measured = {
			items: await compare('items'),
			lists: await compare('lists'),
			files: await compare('files'),
			growth: await compare('growth'),
			package: parts.includes('package')
				? measurePackage(nodePackage, contenders.packageFolder(nodePackage), quick ? 5 : 11)
				: undefined,
		};
		const minutes = Math.round((performance.now() - startedAt) / 60_000);
		return { machine: { ...machine, minutes }, ...measured };
	} finally {
		await contenders.close();
	}
}

function givenPackage(tarball: string): NodePackage {
	return {
		name: 'n8n-nodes-avatar-studio',
		version: '0.0.0',
		tarball: resolve(tarball),
		sources: '',
	};
}

function describeCase({ title, size, latencyMs, figures, ratios, counters }: CaseResult): string {
	const { cpuMs, wallMs } = figures.avatarStudio;
	return [
		`  ${title}, ${size.toLocaleString('en')}, ${latencyMs} ms latency`,
		`CPU ${cpuMs.toFixed(0)} ms, ${describeRatio(ratios.cpuMs)} of HTTP Request`,
		`time ${wallMs.toFixed(0)} ms, ${describeRatio(ratios.wallMs)}`,
		`requests ${counters.requests}, evaluations ${counters.evaluations}, credential reads ${counters.credentialReads}`,
	].join('; ');
}

function describeRatio({ median, min, max }: Summary): string {
	return `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`;
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}
