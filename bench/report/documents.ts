import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { projectRoot } from '../../n8n/installation';
import type { PackageFigures } from '../cases/packageSize';
import type { CaseResult } from '../runner/contenders';
import type { Machine } from '../runner/machine';

import { updatePage } from './page';
import { plotCpuPerItem, plotGrowth } from './plots';

/** What one run of the bench measured; parts that did not run are empty. */
export interface Results {
	machine: Machine & { minutes: number };
	items: CaseResult[];
	lists: CaseResult[];
	files: CaseResult[];
	growth: CaseResult[];
	package?: PackageFigures;
}

const docs = join(projectRoot, 'docs');

/** Writes a complete run to docs: its medians, the page and the plots. */
export async function writeDocuments(results: Results): Promise<void> {
	const files = {
		'performance.json': JSON.stringify(results, roundNumbers),
		'performance.md': updatePage(readFileSync(join(docs, 'performance.md'), 'utf8'), results),
		'performance.svg': plotCpuPerItem(results),
		'performance-growth.svg': plotGrowth(results),
	};
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
