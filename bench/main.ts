import { resolve } from 'node:path';

import { packNode, type NodePackage } from '../n8n/nodePackage';

import { comparisons, FILE_BYTES } from './cases/comparisons';
import { describeLimit, measureLimits, type LimitResult } from './cases/limits';
import { measurePackage } from './cases/packageSize';
import { writeComparison, writeLimits, type Results } from './report/documents';
import { selectComparison, selectLimits } from './report/page';
import { Contenders, type CaseResult } from './runner/contenders';
import { describeMachine } from './runner/machine';
import type { Summary } from './runner/summarize';

type Part = keyof typeof comparisons | 'package' | 'limits';

/** The command line, as start.js parses it. */
export interface BenchOptions {
	parts: Part[];
	quick: boolean;
	/** A tarball to measure instead of the sources. */
	package?: string;
}

const COMPARED: Part[] = ['items', 'lists', 'files', 'growth', 'package'];

/** Measures the parts and prints their key figures; complete measurements are written to docs. */
export async function runBench(options: BenchOptions, signal: AbortSignal): Promise<void> {
	const machine = describeMachine();
	const results = await measureParts(options, signal);
	print('\nAvatar Studio : HTTP Request');
	const figures = {
		...selectComparison(results),
		...(results.limits && selectLimits(results.limits)),
	};
	for (const [name, value] of Object.entries(figures)) print(`  ${name.padEnd(50)} ${value}`);
	if (options.quick || options.package) return;
	const isCompared = COMPARED.every((part) => options.parts.includes(part));
	if (isCompared) await writeComparison(results, machine);
	if (results.limits) await writeLimits(results.limits, machine);
}

async function measureParts(
	{ parts, quick, package: tarball }: BenchOptions,
	signal: AbortSignal,
): Promise<Results> {
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
		return {
			items: await compare('items'),
			lists: await compare('lists'),
			files: await compare('files'),
			growth: await compare('growth'),
			package: parts.includes('package')
				? measurePackage(nodePackage, contenders.packageFolder(nodePackage), quick ? 5 : 11)
				: undefined,
			limits: parts.includes('limits')
				? await measureLimits(contenders.processes!, { quick, signal, onCase: printLimit })
				: undefined,
		};
	} finally {
		await contenders.close();
	}
}

function givenPackage(tarball: string): NodePackage {
	return {
		name: 'n8n-nodes-avatar-studio',
		version: '0.0.0',
		tarball: resolve(tarball),
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

function printLimit(result: LimitResult): void {
	const { node, executions, items, share, seconds, utilization, admitted, refused } = result;
	print(
		[
			`  ${node}, ${describeLimit(result)}, ${executions} × ${items} items`,
			`share ${share.toFixed(2)}, ${seconds.toFixed(1)} s, event loop busy ${utilization.toFixed(2)}`,
			`${admitted} admitted, ${refused} refused`,
			`${result.failedExecutions} executions failed, ${result.lostResults} results lost`,
			...(result.error === undefined ? [] : [result.error]),
		].join('; '),
	);
}

function describeRatio({ median, min, max }: Summary): string {
	return `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`;
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}
