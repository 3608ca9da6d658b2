import { FILE_BYTES, type Conditions, type Contenders, type Run } from './contenders';
import type { Measurement } from './n8n';
import { NODE_NAMES, type NodeName, type Task } from './nodes';

const LIST_LENGTH = 10_000;
const LATENCIES_MS = [0, 50];

/** A task and the conditions it is measured under. */
interface Case extends Conditions {
	title: string;
	task: Task;
	/** Number of input items. */
	items: number;
	/** Number of records or bytes. */
	output: number;
	/** The first one is not counted if there are more than two. */
	rounds: number;
}

/** Medians over the rounds of a case. */
export interface CaseResult extends Pick<Case, 'title' | 'items' | 'latencyMs'> {
	figures: Record<NodeName, Measurement>;
	/** Our node divided by the other in the same round, because a machine's speed drifts. */
	ratios: Measurement;
}

const REQUESTS: [title: string, task: Task][] = [
	['GET, constants', { kind: 'get', expressions: 0 }],
	['GET, 1 expression', { kind: 'get', expressions: 1 }],
	['POST, constants', { kind: 'create', expressions: 0 }],
	['POST, 1 expression', { kind: 'create', expressions: 1 }],
	['POST, 2 expressions', { kind: 'create', expressions: 2 }],
];

/** The cases of each part that compares the two nodes. */
export const comparisons = {
	/** One request per item. */
	items(quick: boolean): Case[] {
		// The times of a single item vary more than they differ, so more rounds are needed.
		const rounds: Record<string, number> = quick ? { 1: 5, 100: 3 } : { 1: 21, 100: 9, 1000: 3 };
		return Object.entries(rounds).flatMap(([count, caseRounds]) =>
			REQUESTS.flatMap(([title, task]) =>
				LATENCIES_MS.map((latencyMs) => {
					const items = Number(count);
					return { title, task, items, latencyMs, output: items, rounds: caseRounds };
				}),
			),
		);
	},
	/** All assets of a list. */
	lists(quick: boolean): Case[] {
		const task: Task = { kind: 'list', expressions: 0 };
		const size = { items: 1, assetCount: LIST_LENGTH, output: LIST_LENGTH };
		const rounds = quick ? 2 : 4;
		return LATENCIES_MS.map((latencyMs) => ({ title: 'List', task, latencyMs, rounds, ...size }));
	},
	/** A large file. */
	files(quick: boolean): Case[] {
		const task: Task = { kind: 'download', expressions: 0 };
		const size = { items: 1, output: FILE_BYTES };
		return [{ title: 'Download', task, latencyMs: 0, rounds: quick ? 2 : 8, ...size }];
	},
};

/** Measures a case round by round; the nodes take turns in changing order. */
export async function compare(contenders: Contenders, benchCase: Case): Promise<CaseResult> {
	const { title, task, items, latencyMs, rounds } = benchCase;
	const runs: Record<NodeName, Run[]> = { avatarStudio: [], httpRequest: [] };
	for (let round = 0; round < rounds; round++) {
		// Memory is compared in processes that have done nothing else.
		if (task.kind === 'download') await contenders.restart();
		for (const turn of [0, 1]) {
			const node = NODE_NAMES[(round + turn) % 2]!;
			const run = await contenders.run(node, task, benchCase, items);
			const { output, error } = run.results[0]!;
			if (output !== benchCase.output) {
				throw new Error(`${node}, ${title}: ${output} came out. ${error ?? ''}`);
			}
			runs[node].push(run);
		}
	}
	const [ours, theirs] = [runs.avatarStudio, runs.httpRequest].map((all) =>
		all.slice(rounds > 2 ? 1 : 0),
	) as [Run[], Run[]];
	const summarize = (select: (round: number, figure: keyof Measurement) => number) => {
		const over = (figure: keyof Measurement) =>
			median(ours.map((_run, round) => select(round, figure)));
		return { cpuMs: over('cpuMs'), wallMs: over('wallMs'), memoryMb: over('memoryMb') };
	};
	return {
		title,
		items,
		latencyMs,
		figures: {
			avatarStudio: summarize((round, figure) => ours[round]![figure]),
			httpRequest: summarize((round, figure) => theirs[round]![figure]),
		},
		ratios: summarize((round, figure) => ours[round]![figure] / theirs[round]![figure]),
	};
}

/** The middle of at least one number. */
function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
