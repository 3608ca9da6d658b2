import { sleep } from 'n8n-workflow';

import { UserError } from '../errors/userError';

import { onAbort } from './onAbort';

const SLICE_MS = 1000;

/** The error that ends a request or a delay on cancellation; n8n shows its own text instead. */
export function createCancellationError(): UserError {
	return new UserError('The execution was cancelled', 'Run it again.', { code: 'cancelled' });
}

/**
 * Waits, unless the execution is cancelled.
 *
 * n8n-workflow's `sleep` cannot be interrupted and community nodes may not use timers. Sleeping in
 * slices leaves less than a second running after a cancellation.
 *
 * @param ms milliseconds to wait
 * @param signal n8n's cancellation signal of this execution, if there is one
 * @throws UserError as soon as the execution is cancelled
 */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
	let stopListening: (() => void) | undefined;
	const abort = new Promise<void>((resolve) => {
		stopListening = signal && onAbort(signal, resolve);
	});
	for (let left = ms; left > 0 && !signal?.aborted; left -= SLICE_MS) {
		await Promise.race([sleep(Math.min(left, SLICE_MS)), abort]);
	}
	stopListening?.();
	if (signal?.aborted) throw createCancellationError();
}
