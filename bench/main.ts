import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { format, resolveConfig } from 'prettier';

import { runEntry } from '../n8n/entry';
import { projectRoot } from '../n8n/installation';
import { packNode } from '../n8n/nodePackage';
import { UserError } from '../scripts/userError';

import { compare, comparisons } from './comparison';
import { Contenders } from './contenders';
import { describeLimit, limitCases, measureLimit } from './limits';
import { measureLoading } from './loading';
import { describeMachine } from './machine';
import { plotCpuPerItem, plotShares, selectFigures, updatePage, type Results } from './report';

const PARTS = ['items', 'lists', 'files', 'loading', 'limits'];

const HELP = `npm run bench [-- PART … [--quick]]

Measures the node beside n8n's HTTP Request node, in a real n8n.
Parts: ${PARTS.join(', ')}; all of them by default, which takes about 40 minutes
on two cores and writes docs/performance.md with its plots.

  --quick   fewer rounds and smaller cases, about 5 minutes; writes nothing
`;

/** npm run bench: measures, and prints the figures. */
void runEntry(async (args, signal) => {
	const { positionals, values } = parseArgs({
		args,
		allowPositionals: true,
		options: { quick: { type: 'boolean', default: false }, help: { type: 'boolean' } },
	});
	if (values.help) return print(HELP);
	const unknown = positionals.filter((part) => !PARTS.includes(part));
	if (unknown.length > 0) throw new UserError(`Unknown part: ${unknown.join(', ')}.`, HELP);
	const isComplete = positionals.length === 0;

	const machine = describeMachine();
	const results = await measureParts(isComplete ? PARTS : positionals, values.quick, signal);
	print('\nAvatar Studio, HTTP Request, ratio of the two');
	for (const [name, ...figures] of selectFigures(results)) {
		print(`  ${name.padEnd(44)} ${figures.map((figure) => figure.padEnd(20)).join(' ')}`);
	}
	if (isComplete && !values.quick) await writeDocuments(results, machine);
});

async function measureParts(
	parts: string[],
	quick: boolean,
	signal: AbortSignal,
): Promise<Results> {
	print('Packing the node and starting n8n …');
	const results: Results = { items: [], lists: [], files: [], limits: [] };
	const contenders = new Contenders(signal);
	try {
		await contenders.start(await packNode(signal));
		for (const part of ['items', 'lists', 'files'] as const) {
			for (const benchCase of parts.includes(part) ? comparisons[part](quick) : []) {
				const result = await compare(contenders, benchCase);
				const { title, items, latencyMs, figures, ratios } = result;
				const { cpuMs, wallMs } = figures.avatarStudio;
				print(
					`  ${title}, ${items} items, ${latencyMs} ms latency; CPU ${cpuMs.toFixed(0)} ms, ${ratios.cpuMs.toFixed(2)} of HTTP Request; time ${wallMs.toFixed(0)} ms, ${ratios.wallMs.toFixed(2)}`,
				);
				results[part].push(result);
			}
		}
		if (parts.includes('loading')) results.loading = measureLoading(contenders.packageFolder);
		if (parts.includes('limits')) {
			for (const limitCase of limitCases(quick)) {
				const result = await measureLimit(contenders, limitCase);
				const { node, rateLimit, share, admitted, refused, failedExecutions, error } = result;
				const { retryAfter, sendsHeaders } = rateLimit;
				print(
					`  ${node}, ${describeLimit(result)}${retryAfter ? ', Retry-After' : ''}${sendsHeaders ? ', headers' : ''}; share ${share.toFixed(2)}, ${admitted} admitted, ${refused} refused; ${failedExecutions} failed, ${result.lostResults} results lost ${error ?? ''}`,
				);
				results.limits.push(result);
			}
		}
		return results;
	} finally {
		await contenders.close();
	}
}

/** Writes the page's table and its plots. */
async function writeDocuments(results: Results, machine: string): Promise<void> {
	const inDocs = (name: string) => join(projectRoot, 'docs', name);
	const page = readFileSync(inDocs('performance.md'), 'utf8');
	const options = { ...(await resolveConfig(inDocs('performance.md'))), parser: 'markdown' };
	const updated = await format(updatePage(page, results, machine), options);
	writeFileSync(inDocs('performance.md'), updated);
	writeFileSync(inDocs('performance.svg'), plotCpuPerItem(results));
	writeFileSync(inDocs('performance-limits.svg'), plotShares(results));
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}
