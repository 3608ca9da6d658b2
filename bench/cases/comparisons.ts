import type { Case } from '../runner/contenders';

import type { ExpressionCount, Task } from './task';

const LATENCIES_MS = [0, 50];
const PAGE_SIZE = 100;
export const FILE_BYTES = 200_000_000;

const REQUESTS: [kind: 'get' | 'create', expressions: ExpressionCount][] = [
	['get', 0],
	['get', 1],
	['create', 0],
	['create', 1],
	['create', 2],
];

const FIELD_VALUES: Record<ExpressionCount, string> = {
	0: 'constant',
	1: '1 expression',
	2: '2 expressions',
};

/** The cases of the parts that compare the node with the HTTP Request node. */
export const comparisons = { items, lists, files, growth };

/** One request per item. */
function items(quick: boolean): Case[] {
	// The times of a single item vary more than they differ, so more rounds are needed.
	const sizes = quick
		? [
				[1, 5],
				[100, 3],
			]
		: [
				[1, 31],
				[100, 15],
				[1000, 5],
			];
	return sizes.flatMap(([size, rounds]) =>
		REQUESTS.flatMap(([kind, expressions]) =>
			LATENCIES_MS.map((latencyMs) => ({
				...requestPerItem({ kind, items: size!, expressions }),
				latencyMs,
				rounds: rounds!,
				warmUps: size! < 1000 ? 1 : 0,
			})),
		),
	);
}

/** All assets of a paginated list. */
function lists(quick: boolean): Case[] {
	return LATENCIES_MS.map((latencyMs) => ({
		...pagedList(100),
		latencyMs,
		rounds: quick ? 1 : 3,
		warmUps: quick ? 0 : 1,
	}));
}

/** A large file. */
function files(quick: boolean): Case[] {
	return [
		{
			title: 'Download',
			size: FILE_BYTES,
			task: { kind: 'download' },
			expectedOutput: FILE_BYTES,
			latencyMs: 0,
			rounds: quick ? 1 : 7,
			warmUps: 0,
			freshProcesses: 'perRound',
		},
	];
}

/** An increasing amount of work. */
function growth(quick: boolean): Case[] {
	const counts = quick ? [10, 100, 1000] : [10, 100, 1000, 10_000];
	const series = [
		counts.map((count) => requestPerItem({ kind: 'get', items: count, expressions: 1 })),
		counts.map((count) => pagedList(count / 10)),
	];
	return series.flatMap((cases) =>
		cases.map((growing, index) => ({
			...growing,
			latencyMs: 0,
			rounds: growing.expectedOutput < 10_000 && growing.size < 1000 ? 3 : 1,
			warmUps: growing.expectedOutput < 10_000 && growing.size < 1000 ? 1 : 0,
			...(index === 0 && { freshProcesses: 'perCase' as const }),
		})),
	);
}

function requestPerItem(task: Task & { kind: 'get' | 'create' }) {
	const method = task.kind === 'get' ? 'GET' : 'POST';
	return {
		title: `${method}, ${FIELD_VALUES[task.expressions]}`,
		size: task.items,
		task,
		expectedOutput: task.items,
	};
}

function pagedList(pages: number) {
	const assetCount = pages * PAGE_SIZE;
	return {
		title: 'List',
		size: pages,
		task: { kind: 'list' } as const,
		assetCount,
		expectedOutput: assetCount,
	};
}
