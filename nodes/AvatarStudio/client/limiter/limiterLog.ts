import { quote, removeFullStop } from '../../errors/formatText';
import type { RequestError } from '../../errors/userError';
import {
	formatRoute,
	formatSeconds,
	listNodes,
	log,
	REPORT_AFTER_MS,
	REPORT_EVERY_MS,
} from '../log';
import type { Request, RequestContext } from '../send';

import type { LimitEstimate, LimitType } from './limitEstimate';
import type { QueuedRequest } from './requestGroup';

/** How a limit is called in the log. */
const LIMIT_TEXTS: Record<LimitType, string> = {
	inFlight: 'requests at a time',
	perSecond: 'requests per second',
};

/** A wait that the log has told of. */
interface ReportedWait {
	/** Since when the service admitted nothing. */
	since: number;
	reportedAt: number;
}

/**
 * Writes to n8n's log what a limiter waits for: one line for all executions that wait behind it. A wait
 * that was reported lasts until the service admits a request, and not until the requests give up, because
 * each poll gives up, and the next one would report the same anew.
 */
export class LimiterLog {
	private reported?: ReportedWait;
	/** The limit as it was last told, because most refusals confirm it. */
	private limitText = '';

	/** @param name what is limited: a host, and the path of a creation */
	constructor(private readonly name: string) {}

	/**
	 * Says that requests wait: `REPORT_AFTER_MS` after the service began to refuse, and again after each
	 * `REPORT_EVERY_MS`.
	 *
	 * @param blockedSince since when the service admits nothing. It may begin anew, such as after a
	 *   disconnection, while the reported wait goes on
	 * @param requests those that wait, at least one
	 * @param refusal what the service said last, if it refused any
	 */
	logWait(
		now: number,
		blockedSince: number,
		requests: QueuedRequest[],
		refusal?: RequestError,
	): void {
		const { reported } = this;
		const since = reported?.since ?? blockedSince;
		const dueAt = reported ? reported.reportedAt + REPORT_EVERY_MS : since + REPORT_AFTER_MS;
		if (now < dueAt) return;
		this.reported = { since, reportedAt: now };
		const oldest = requests.reduce((first, each) => (each.since < first.since ? each : first));
		const reason = refusal ? ` (${formatReason(refusal, oldest.request)})` : '';
		const fact = `${this.name} has admitted no request for ${formatSeconds(now - since)}${reason}`;
		log(oldest.context, 'info', `${fact}. ${describeWaiting(now, blockedSince, requests)}`);
	}

	/** Says that the service admits requests, if the log has told that it did not. */
	logEnd(context: RequestContext, now: number): void {
		if (!this.reported) return;
		const { since } = this.reported;
		this.reported = undefined;
		const fact = `${this.name} admits requests again`;
		log(context, 'info', `${fact}, after ${formatSeconds(now - since)}.`);
	}

	/** @param delayMs how long the next attempt waits at least; Infinity if another response decides it */
	logRefusal({ context, request }: QueuedRequest, refusal: RequestError, delayMs: number): void {
		const when = delayMs === Infinity ? 'after another one' : `in ${formatSeconds(delayMs)}`;
		const route = formatRoute(request);
		log(context, 'debug', `${route}: ${formatReason(refusal, request)}. It is sent again ${when}.`);
	}

	logLimit(context: RequestContext, { type, knownLimit }: LimitEstimate): void {
		const text = `${knownLimit} ${LIMIT_TEXTS[type]}`;
		if (knownLimit === Infinity || text === this.limitText) return;
		this.limitText = text;
		log(context, 'debug', `${this.name} seems to allow about ${text}.`);
	}
}

function describeWaiting(now: number, blockedSince: number, requests: QueuedRequest[]): string {
	const ends = requests.map(({ since, maxWaitMs }) => Math.max(since, blockedSince) + maxWaitMs);
	const end = ends.reduce((latest, each) => Math.max(latest, each), now);
	const until = new Date(Date.now() + end - now).toISOString();
	const nodes = listNodes(requests.map(({ context }) => context));
	return `Requests that wait, until ${until} at most: ${requests.length}, of ${nodes}.`;
}

/**
 * The status and the service's words, from which the key was removed when they were read. Those of a
 * file's host may name the file, which the log must not.
 */
function formatReason({ details }: RequestError, { isDownload }: Request): string {
	const { status, serviceMessage } = details;
	const isTold = serviceMessage !== undefined && !isDownload;
	return isTold ? `${status} ${quote(removeFullStop(serviceMessage))}` : String(status);
}
