import type { RateLimit } from '../../service/service';
import type { LimitedTraffic, Limits } from '../runner/limitedService';
import type * as LimitedService from '../runner/limitedService';
import type * as N8nWorker from '../runner/n8nWorker';
import { summarize } from '../runner/summarize';
import { Worker } from '../runner/worker';

export const TIMELINE_STEP_MS = 250;
const LATENCY_MS = 100;

/** A number of executions at once against a limited service. */
export interface LimitCase extends Limits {
	node: N8nWorker.NodeUnderTest;
	executions: number;
	/** Items of each execution; one request per item. */
	items: number;
}

/** How much of the service's limit the executions used. */
export interface LimitResult extends LimitCase, LimitedTraffic {
	seconds: number;
	/**
	 * The minimum time the limit allows for the returned items, divided by the time from the first
	 * request to the last response. Before the first one, n8n prepares all items.
	 */
	share: number;
	/** Utilization of n8n's event loop. Close to 1, the processor is the limit, not the service. */
	utilization: number;
	failedExecutions: number;
	/** The error of the first one that failed. */
	error?: string;
	/** Requests the service carried out whose results no execution returned. */
	lostResults: number;
}

/** Milliseconds of a 10-item execution, alone and beside one of 5,000 items on the same account. */
export interface FairnessResult {
	aloneMs: number;
	besideMs: number;
}

/** What the part measured. */
export interface LimitResults {
	cases: LimitResult[];
	fairness: FairnessResult;
}

type N8nWorkers = Record<N8nWorker.NodeUnderTest, Worker<typeof N8nWorker>>;

/** Runs the cases one after the other. */
export async function measureLimits(
	n8n: N8nWorkers,
	{
		quick,
		signal,
		onCase,
	}: { quick: boolean; signal: AbortSignal; onCase: (result: LimitResult) => void },
): Promise<LimitResults> {
	const service = new Worker<typeof LimitedService>('limitedService.ts');
	try {
		const fairness = await measureFairness(quick, service, n8n);
		const cases: LimitResult[] = [];
		for (const limitCase of limitCases(quick)) {
			signal.throwIfAborted();
			const result = await measureLimit(limitCase, service, n8n);
			onCase(result);
			cases.push(result);
		}
		return { cases, fairness };
	} finally {
		await service.end();
	}
}

/** Our node in all cases, then the HTTP Request node, which ignores rate-limit headers. */
function limitCases(quick: boolean): LimitCase[] {
	const limits: RateLimit[] = quick
		? [{ concurrent: 5 }, { perSecond: 20 }]
		: [3, 5, 12, 20]
				.map((concurrent): RateLimit => ({ concurrent }))
				.concat([20, 50].map((perSecond) => ({ perSecond })));
	const reporting: RateLimit[] = [{ concurrent: 12 }, { perSecond: 50 }];
	const executionCounts = quick ? [20] : [4, 20, 40];
	const withRetryAfter = (limit: RateLimit) => [limit, { ...limit, retryAfter: 1 }];
	const seconds = quick ? 2 : 20;
	return [
		...limits.flatMap(withRetryAfter).map((limit) => oneExecution(limit, seconds)),
		// A reported rate is used evenly, which ends up to a second later than bursts would.
		...reporting.map((limit) => oneExecution({ ...limit, sendsHeaders: true }, seconds * 3)),
		...executionCounts.flatMap((executions) =>
			[{ concurrent: 5 }, { perSecond: 50 }]
				.flatMap(withRetryAfter)
				.map((limit) => splitWork(oneExecution(limit, seconds), executions)),
		),
		// The more requests wait, and the slower the service, the longer an execution waits for its turn.
		...(quick
			? []
			: [
					// The slower the responses, the more requests a rate has in flight.
					...[
						{ perSecond: 1, latencyMs: 5_000 },
						{ perSecond: 5, latencyMs: 5_000 },
						{ perSecond: 10, latencyMs: 3_000 },
						{ perSecond: 20, latencyMs: 1_000 },
					].map(({ perSecond, latencyMs }) => ({
						...oneExecution({ perSecond }, seconds * 3),
						latencyMs,
					})),
					{
						...oneExecution({ concurrent: 10 }, seconds),
						executions: 20,
						items: 100,
						latencyMs: 200,
					},
					{
						...oneExecution({ concurrent: 5 }, seconds),
						executions: 40,
						items: 10,
						latencyMs: 2_000,
					},
				]),
		...[
			// It cannot limit the number of requests in flight, so it takes ten times as long.
			...limits.map((limit) => oneExecution(limit, limit.concurrent ? 1 : seconds)),
			// Retry On Fail repeats whole executions, so they are short.
			...executionCounts.map((executions) => ({
				...oneExecution({ concurrent: 5 }, seconds),
				executions,
				items: 10,
			})),
		].map((limitCase) => ({ ...limitCase, node: 'httpRequest' as const })),
	];
}

/** @param seconds minimum duration of the work */
function oneExecution(rateLimit: RateLimit, seconds: number): LimitCase {
	const { concurrent = 0, perSecond = (concurrent * 1000) / LATENCY_MS } = rateLimit;
	const items = perSecond * seconds;
	return { node: 'avatarStudio', rateLimit, latencyMs: LATENCY_MS, executions: 1, items };
}

function splitWork(limitCase: LimitCase, executions: number): LimitCase {
	return { ...limitCase, executions, items: limitCase.items / executions };
}

/** Runs the executions of a case at once in one n8n. */
async function measureLimit(
	limitCase: LimitCase,
	service: Worker<typeof LimitedService>,
	n8n: N8nWorkers,
): Promise<LimitResult> {
	const { rateLimit, latencyMs, node } = limitCase;
	const fixtures = await service.call('start', { rateLimit, latencyMs });
	const { results, utilization } = await n8n[node].call('runAtOnce', node, limitCase, fixtures);
	const traffic = await service.call('readTraffic');
	if (traffic.violations > 0) throw new Error('Requests violate the contract');
	const output = results.reduce((sum, result) => sum + result.output, 0);
	const errors = results.flatMap(({ error }) => error ?? []);
	const wallMs = Math.max(...results.map((result) => result.wallMs));
	return {
		...limitCase,
		...traffic,
		utilization,
		seconds: wallMs / 1000,
		share: idealMs(output, limitCase) / traffic.durationMs,
		failedExecutions: errors.length,
		error: errors[0],
		lostResults: traffic.admitted - output,
	};
}

/** Measures how long a short execution waits for a long one on the same account. */
async function measureFairness(
	quick: boolean,
	service: Worker<typeof LimitedService>,
	n8n: N8nWorkers,
): Promise<FairnessResult> {
	const limits = { rateLimit: { concurrent: 20 }, latencyMs: LATENCY_MS };
	const fixtures = await service.call('start', limits);
	const { alone, beside } = await n8n.avatarStudio.call(
		'timeShortExecutions',
		10,
		quick ? 500 : 5_000,
		fixtures,
	);
	return { aloneMs: summarize(alone).median, besideMs: summarize(beside).median };
}

/** Describes what the service allows. */
export function describeLimit({ rateLimit, latencyMs }: Limits): string {
	const { concurrent, perSecond, retryAfter, sendsHeaders } = rateLimit;
	return [
		concurrent === undefined ? `${perSecond} per second` : `${concurrent} at a time`,
		...(retryAfter === undefined ? [] : ['Retry-After']),
		...(sendsHeaders ? ['RateLimit headers'] : []),
		...(latencyMs === LATENCY_MS ? [] : [`${latencyMs} ms`]),
	].join(', ');
}

function idealMs(requests: number, { rateLimit, latencyMs }: Limits): number {
	const { concurrent, perSecond } = rateLimit;
	if (requests === 0) return 0;
	if (concurrent !== undefined) return Math.ceil(requests / concurrent) * latencyMs;
	return (Math.ceil(requests / perSecond!) - 1) * 1000 + latencyMs;
}
