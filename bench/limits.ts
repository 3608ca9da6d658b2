import type { RateLimit } from '../service/service';

import type { Contenders } from './contenders';
import type { NodeName } from './nodes';

const LATENCY_MS = 100;

interface LimitCase {
	node: NodeName;
	rateLimit: RateLimit;
	latencyMs: number;
	executions: number;
	items: number;
}

export interface LimitResult extends LimitCase {
	admitted: number;
	refused: number;
	/**
	 * The minimum time the limit allows for the returned items, divided by the time from the first
	 * request to the last response. Before the first one, n8n prepares all items.
	 */
	share: number;
	failedExecutions: number;
	error?: string;
	/** Requests the service carried out whose results no execution returned. */
	lostResults: number;
}

/** The cases: our node in all of them, the HTTP Request node in the basic ones. */
export function limitCases(): LimitCase[] {
	const seconds = 20;
	const concurrent = [3, 5, 12, 20].map((limit) => ({ concurrent: limit }));
	const perSecond = [20, 50].map((limit) => ({ perSecond: limit }));
	const executionCounts = [4, 20, 40];
	const withRetryAfter = (limit: RateLimit) => [limit, { ...limit, retryAfter: 1 }];
	const slow = [
		// The slower the responses, the more requests a rate has in flight.
		createCase({ perSecond: 1 }, { latencyMs: 5_000, seconds: 60 }),
		createCase({ perSecond: 5 }, { latencyMs: 5_000, seconds: 60 }),
		createCase({ perSecond: 10 }, { latencyMs: 3_000, seconds: 60 }),
		createCase({ perSecond: 20 }, { latencyMs: 1_000, seconds: 60 }),
		// The longer, too, an execution waits for its turn.
		createCase({ concurrent: 5 }, { latencyMs: 2_000, seconds: 160, executions: 40 }),
	];
	return [
		...[...concurrent, ...perSecond]
			.flatMap(withRetryAfter)
			.map((limit) => createCase(limit, { seconds })),
		...slow,
		...executionCounts.flatMap((executions) =>
			[{ concurrent: 5 }, { perSecond: 50 }]
				.flatMap(withRetryAfter)
				.map((limit) => createCase(limit, { seconds, executions })),
		),
		...[
			// It cannot limit the number of requests in flight, so it takes ten times as long.
			...concurrent.map((limit) => createCase(limit, { seconds: 1 })),
			...perSecond.map((limit) => createCase(limit, { seconds })),
			// Retry On Fail repeats whole executions, so they are short.
			...executionCounts.map((executions) =>
				createCase({ concurrent: 5 }, { seconds: executions / 5, executions }),
			),
		].map((limitCase) => ({ ...limitCase, node: 'httpRequest' as const })),
	];
}

/** @param work how long it takes at the limit, in seconds, and how it is divided */
function createCase(
	rateLimit: RateLimit,
	work: { seconds: number; latencyMs?: number; executions?: number },
): LimitCase {
	const { seconds, latencyMs = LATENCY_MS, executions = 1 } = work;
	const perSecond = rateLimit.perSecond ?? rateLimit.concurrent! / (latencyMs / 1000);
	const items = Math.round((perSecond * seconds) / executions);
	return { node: 'avatarStudio', rateLimit, latencyMs, executions, items };
}

export async function measureLimit(
	contenders: Contenders,
	limitCase: LimitCase,
): Promise<LimitResult> {
	const { node, executions, items } = limitCase;
	const run = await contenders.run(node, 'create', limitCase, items, executions);
	const output = run.results.reduce((sum, result) => sum + result.output, 0);
	const errors = run.results.flatMap(({ error }) => error ?? []);
	return {
		...limitCase,
		admitted: run.admitted,
		refused: run.refused,
		share: idealMs(output, limitCase) / run.durationMs,
		failedExecutions: errors.length,
		error: errors[0],
		lostResults: run.admitted - output,
	};
}

/** Describes what the service allows and how many executions share it, but not its headers. */
export function describeLimit({ rateLimit, latencyMs, executions }: LimitCase): string {
	const { concurrent, perSecond } = rateLimit;
	return [
		concurrent === undefined ? `${perSecond} per second` : `${concurrent} at a time`,
		...(latencyMs === LATENCY_MS ? [] : [`responses take ${latencyMs / 1000} s`]),
		...(executions === 1 ? [] : [`${executions} executions`]),
	].join(', ');
}

function idealMs(requests: number, { rateLimit, latencyMs }: LimitCase): number {
	const { concurrent, perSecond } = rateLimit;
	if (requests === 0) return 0;
	if (concurrent !== undefined) return Math.ceil(requests / concurrent) * latencyMs;
	return (Math.ceil(requests / perSecond!) - 1) * 1000 + latencyMs;
}
