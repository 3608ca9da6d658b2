import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { projectRoot } from '../../n8n/installation';
import type { LimitResults } from '../cases/limits';
import type { PackageFigures } from '../cases/packageSize';
import type { CaseResult } from '../runner/contenders';
import type { Machine } from '../runner/machine';

import { selectComparison, selectLimits, updatePage } from './page';
import { plotCpuPerItem, plotGrowth, plotShares, plotWidths } from './plots';

/** The results of one run of the bench; parts that did not run are empty. */
export interface Results {
	items: CaseResult[];
	lists: CaseResult[];
	files: CaseResult[];
	growth: CaseResult[];
	package?: PackageFigures;
	limits?: LimitResults;
}

const docs = join(projectRoot, 'docs');

/** Writes the comparison to docs: its medians, its section of the page and its plots. */
export async function writeComparison(results: Results, machine: Machine): Promise<void> {
	await writeFiles({
		'performance.json': JSON.stringify({ machine, ...results, limits: undefined }, roundNumbers),
		'performance.md': updatePage(readPage(), machine, {
			name: 'comparison',
			figures: selectComparison(results),
			plots: [
				['CPU time per item', 'performance.svg'],
				['Time and memory as the work grows', 'performance-growth.svg'],
			],
		}),
		'performance.svg': plotCpuPerItem(results),
		'performance-growth.svg': plotGrowth(results),
	});
}

/** Writes the results of the part limits to docs: its section of the page and its plots. */
export async function writeLimits(limits: LimitResults, machine: Machine): Promise<void> {
	await writeFiles({
		'performance.md': updatePage(readPage(), machine, {
			name: 'limits',
			figures: selectLimits(limits),
			plots: [
				['Share of what the service allows', 'performance-limits.svg'],
				['Requests in flight over time', 'performance-width.svg'],
			],
		}),
		'performance-limits.svg': plotShares(limits),
		'performance-width.svg': plotWidths(limits),
	});
}

function readPage(): string {
	return readFileSync(join(docs, 'performance.md'), 'utf8');
}

async function writeFiles(files: Record<string, string>): Promise<void> {
	for (const [name, content] of Object.entries(files)) {
		const path = join(docs, name);
		writeFileSync(path, name.endsWith('.svg') ? content : await formatFile(path, content));
	}
}

function roundNumbers(_key: string, value: unknown): unknown {
	return typeof value === 'number' && value % 1 !== 0 ? Number(value.toPrecision(4)) : value;
}

/** Formats as `npm run format` would. */
async function formatFile(filepath: string, content: string): Promise<string> {
	return await format(content, { ...(await resolveConfig(filepath)), filepath });
}
