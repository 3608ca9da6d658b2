import { startService, type RateLimit, type Service } from '../../service/service';
import { TIMELINE_STEP_MS } from '../cases/limits';
import type { Fixtures } from '../cases/task';

/** What a service allows, and how long a request takes. */
export interface Limits {
	rateLimit: RateLimit;
	latencyMs: number;
}

/** A quarter of a second of a run. */
export interface TimelinePoint {
	/** Mean number of admitted requests in flight. */
	inFlight: number;
	/** Number of requests refused. */
	refused: number;
}

/** The requests that reached a limited service. */
export interface LimitedTraffic {
	admitted: number;
	refused: number;
	violations: number;
	/** From the first request to the last response. */
	durationMs: number;
	timeline: TimelinePoint[];
}

let service: Service | undefined;
let limits: Limits;

/** Starts a service at its own URL, which the node treats as a new account. */
export async function start(given: Limits): Promise<Fixtures> {
	await service?.close();
	limits = given;
	service = await startService({ ...limits, speechResponse: 'empty' });
	return {
		baseUrl: service.url,
		apiKey: service.apiKey,
		assetIds: [],
		voiceId: service.voices[0]!.voiceId,
		largeAssetId: '',
	};
}

/** Reports the requests since the start. */
export async function readTraffic(): Promise<LimitedTraffic> {
	await service!.waitUntilIdle();
	const { requests, violations } = service!;
	const { status = 429 } = limits.rateLimit;
	const isRefused = ({ responseStatus }: (typeof requests)[number]) => responseStatus === status;
	const firstStart = Math.min(...requests.map(({ startedAt }) => startedAt));
	const refused = requests.filter(isRefused).map(({ startedAt }) => startedAt - firstStart);
	const admitted = requests
		.filter((request) => !isRefused(request))
		.map(({ startedAt }) => startedAt - firstStart);
	const durationMs = Math.max(...admitted, ...refused) + limits.latencyMs;
	const timeline = Array.from({ length: Math.ceil(durationMs / TIMELINE_STEP_MS) }, (_, step) => {
		const from = step * TIMELINE_STEP_MS;
		const to = from + TIMELINE_STEP_MS;
		const busyMs = admitted
			.map((start) => Math.min(start + limits.latencyMs, to) - Math.max(start, from))
			.reduce((sum, overlap) => sum + Math.max(overlap, 0), 0);
		return {
			inFlight: busyMs / TIMELINE_STEP_MS,
			refused: refused.filter((at) => at >= from && at < to).length,
		};
	});
	return {
		admitted: admitted.length,
		refused: refused.length,
		violations: violations.length,
		durationMs,
		timeline,
	};
}
