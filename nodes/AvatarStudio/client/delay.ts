import { sleep } from 'n8n-workflow';

import { UserError } from '../errors/userError';

/** How soon a cancellation is noticed: n8n-workflow's `sleep` cannot be interrupted. */
const SLICE_MS = 500;

/** @returns why a request ends, if one of its signals is aborted: by the node, or by n8n */
export function getAbortReason(...signals: (AbortSignal | undefined)[]): UserError | undefined {
	const aborted = signals.find((signal) => signal?.aborted);
	if (!aborted || aborted.reason instanceof UserError) return aborted?.reason as UserError;
	return new UserError('The execution was cancelled', 'Run it again.', { code: 'cancelled' });
}

/** Waits `ms`; throws UserError soon after the execution is cancelled. */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
	for (let left = ms; left > 0 && !signal?.aborted; left -= SLICE_MS) {
		await sleep(Math.min(left, SLICE_MS));
	}
	const reason = getAbortReason(signal);
	if (reason) throw reason;
}
