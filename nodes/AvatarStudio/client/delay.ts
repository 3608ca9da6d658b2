import { sleep } from 'n8n-workflow';

import { RUN_AGAIN } from '../errors/repeatAdvice';
import { UserError } from '../errors/userError';

/** A year. No request waits for longer, because the log could not show the end of it as a date. */
export const LONGEST_WAIT_MS = 365 * 24 * 3_600_000;
/** How late a cancellation is noticed at most: n8n-workflow's `sleep` cannot be interrupted. */
const SLICE_MS = 500;

/**
 * @returns why a request ends, if one of its signals is aborted: the reason that the node gave, or that
 *   n8n cancelled the execution
 */
export function getAbortReason(...signals: (AbortSignal | undefined)[]): UserError | undefined {
	const aborted = signals.find((signal) => signal?.aborted);
	if (!aborted) return undefined;
	if (aborted.reason instanceof UserError) return aborted.reason;
	return new UserError('The execution was cancelled', RUN_AGAIN, { code: 'cancelled' });
}

/** Waits so many milliseconds; throws a UserError within half a second of a signal's abortion. */
export async function delay(ms: number, ...signals: (AbortSignal | undefined)[]): Promise<void> {
	for (let left = ms; left > 0 && !getAbortReason(...signals); left -= SLICE_MS) {
		await sleep(Math.min(left, SLICE_MS));
	}
	const reason = getAbortReason(...signals);
	if (reason) throw reason;
}
