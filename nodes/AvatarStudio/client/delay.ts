import { sleep } from 'n8n-workflow';

import { UserError } from '../errors/userError';

/** How soon a cancellation is noticed: n8n-workflow's `sleep` cannot be interrupted. */
const SLICE_MS = 500;

/** The error that ends a request or a delay on cancellation; n8n shows its own text instead. */
export function createCancellationError(): UserError {
	return new UserError('The execution was cancelled', 'Run it again.', { code: 'cancelled' });
}

/**
 * Waits, unless the execution is cancelled.
 *
 * @param ms milliseconds to wait
 * @param signal n8n's cancellation signal of this execution, if there is one
 * @throws UserError soon after the execution is cancelled
 */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
	for (let left = ms; left > 0 && !signal?.aborted; left -= SLICE_MS) {
		await sleep(Math.min(left, SLICE_MS));
	}
	if (signal?.aborted) throw createCancellationError();
}
