import { FILE_BYTES, type Conditions, type Contenders, type Run } from './contenders';
import type { Measurement } from './n8n';
import { NODE_NAMES, type NodeName, type Task } from './nodes';

const LIST_LENGTH = 10_000;
const LATENCIES_MS = [0, 50];

interface Case extends Conditions {
	task: Task;
	items: number;
	output: number;
	/** The first one is not counted if there are more than two. */
	rounds: number;
}

/** Medians over the rounds of a case. */
export interface CaseResult extends Pick<Case, 'task' | 'items' | 'latencyMs'> {
	figures: Record<NodeName, Measurement>;
	/** Our node divided by the other in the same round, because a machine's speed drifts. */
	ratios: Measurement;
}

export const comparisons = {
	items(): Case[] {
		// The times of a single item vary more than they differ, so more rounds are needed.
		const rounds = { 1: 21, 100: 9, 1000: 3 };
		return Object.entries(rounds).flatMap(([count, caseRounds]) =>
			(['get', 'create'] as const).flatMap((task) =>
				LATENCIES_MS.map((latencyMs) => {
					const items = Number(count);
					return { task, items, latencyMs, output: items, rounds: caseRounds };
				}),
			),
		);
	},
	lists(): Case[] {
		const size = { items: 1, assetCount: LIST_LENGTH, output: LIST_LENGTH };
		return LATENCIES_MS.map((latencyMs) => ({ task: 'list', latencyMs, rounds: 4, ...size }));
	},
	files(): Case[] {
		const size = { items: 1, output: FILE_BYTES };
		return [{ task: 'download', latencyMs: 0, rounds: 8, ...size }];
	},
};

export async function compare(contenders: Contenders, benchCase: Case): Promise<CaseResult> {
	const { task, items, latencyMs, rounds } = benchCase;
	const runs: Record<NodeName, Run[]> = { avatarStudio: [], httpRequest: [] };
	for (let round = 0; round < rounds; round++) {
		// Memory is compared in processes that have done nothing else.
		if (task === 'download') await contenders.restart();
		for (const turn of [0, 1]) {
			const node = NODE_NAMES[(round + turn) % 2]!;
			const run = await contenders.run(node, task, benchCase, items);
			const { output, error } = run.results[0]!;
			if (output !== benchCase.output) {
				throw new Error(`${node}, ${task}: ${output} came out. ${error ?? ''}`);
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
		task,
		items,
		latencyMs,
		figures: {
			avatarStudio: summarize((round, figure) => ours[round]![figure]),
			httpRequest: summarize((round, figure) => theirs[round]![figure]),
		},
		ratios: summarize((round, figure) => ours[round]![figure] / theirs[round]![figure]),
	};
}

function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
