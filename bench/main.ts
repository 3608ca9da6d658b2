import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

import { runEntry } from '../n8n/entry';
import { packNode } from '../n8n/nodePackage';
import { UserError } from '../scripts/userError';

import { compare, comparisons } from './comparison';
import { Contenders } from './contenders';
import { describeLimit, limitCases, measureLimit } from './limits';
import { Builds, pollCases } from './polls';
import { formatPolls, formatTable, type Results } from './report';
import { measureWaits } from './waits';

/** The parts for which n8n is started. */
const N8N_PARTS = ['items', 'lists', 'files', 'limits'];
const PARTS = [...N8N_PARTS, 'polls', 'waits'];

const HELP = `npm run bench [-- PART …]

Measures the node beside n8n's HTTP Request node, in a real n8n, and polls of the trigger beside an
earlier build; prints the tables of docs/performance.md. Parts: ${PARTS.join(', ')};
all of them by default, which takes about 50 minutes on two cores.
`;

void runEntry(async (args, signal) => {
	const { positionals, values } = parseArgs({
		args,
		allowPositionals: true,
		options: { help: { type: 'boolean' } },
	});
	if (values.help) return print(HELP);
	const unknown = positionals.filter((part) => !PARTS.includes(part));
	if (unknown.length > 0) throw new UserError(`Unknown part: ${unknown.join(', ')}.`, HELP);
	const parts = positionals.length > 0 ? positionals : PARTS;
	if (parts.includes('waits'))
		for (const line of ['Waits for videos:', ...measureWaits()]) print(line);
	// Waits take virtual time, and no n8n.
	if (parts.every((part) => part === 'waits')) return;
	const results = await measureParts(parts, signal);
	const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores`;
	const tables = [formatTable(results), formatPolls(results.polls)].filter(Boolean);
	const measured = `Measured ${new Date().toISOString().slice(0, 10)}: ${machine}.`;
	print(`\n${tables.join('\n\n')}\n\n${measured}`);
});

async function measureParts(parts: string[], signal: AbortSignal): Promise<Results> {
	const results: Results = { items: [], lists: [], files: [], limits: [], polls: [] };
	if (parts.includes('polls')) await measurePolls(results, signal);
	if (parts.some((part) => N8N_PARTS.includes(part))) await measureNodes(parts, results, signal);
	return results;
}

async function measurePolls({ polls }: Results, signal: AbortSignal): Promise<void> {
	const builds = new Builds(signal);
	try {
		await builds.start();
		for (const pollCase of pollCases()) {
			const result = await builds.compare(pollCase);
			const { assets, order, firstPage, now, baseline } = result;
			print(
				`  Polls, ${assets} assets, ${order}, pages from ${firstPage}; requests ${now.requests.toFixed(2)}, all read ${baseline.requests.toFixed(1)}; CPU ${now.cpuMs.toFixed(1)} ms, all read ${baseline.cpuMs.toFixed(1)} ms`,
			);
			polls.push(result);
		}
	} finally {
		await builds.close();
	}
}

async function measureNodes(parts: string[], results: Results, signal: AbortSignal): Promise<void> {
	print('Packing the node and starting n8n …');
	const contenders = new Contenders(signal);
	try {
		await contenders.start(await packNode(signal));
		for (const part of ['items', 'lists', 'files'] as const) {
			for (const benchCase of parts.includes(part) ? comparisons[part]() : []) {
				const result = await compare(contenders, benchCase);
				const { task, items, latencyMs, figures, ratios } = result;
				const { cpuMs, wallMs } = figures.avatarStudio;
				print(
					`  ${task}, ${items} items, ${latencyMs} ms latency; CPU ${cpuMs.toFixed(0)} ms, ${ratios.cpuMs.toFixed(2)} of HTTP Request; time ${wallMs.toFixed(0)} ms, ${ratios.wallMs.toFixed(2)}`,
				);
				results[part].push(result);
			}
		}
		if (parts.includes('limits')) {
			for (const limitCase of limitCases()) {
				const result = await measureLimit(contenders, limitCase);
				const { node, rateLimit, share, admitted, refused, failedExecutions, error } = result;
				const { retryAfter } = rateLimit;
				print(
					`  ${node}, ${describeLimit(result)}${retryAfter ? ', Retry-After' : ''}; share ${share.toFixed(2)}, ${admitted} admitted, ${refused} refused; ${failedExecutions} failed, ${result.lostResults} results lost ${error ?? ''}`,
				);
				results.limits.push(result);
			}
		}
	} finally {
		await contenders.close();
	}
}

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}
