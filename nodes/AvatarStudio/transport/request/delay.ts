import { sleep } from 'n8n-workflow';

import { RequestError } from '../errors/requestError';

const SLICE_MS = 1000;

/** The error that ends a request or a delay on cancellation; n8n shows its own text instead. */
export function cancellationError(): RequestError {
	return new RequestError({ message: 'The execution was cancelled', hint: 'Run it again.' });
}

/**
 * Waits, unless the execution is cancelled.
 *
 * n8n-workflow's `sleep` cannot be interrupted and community nodes may not use timers. Sleeping in
 * slices leaves less than a second running after a cancellation.
 *
 * @param ms milliseconds to wait
 * @param signal n8n's cancellation signal of this execution, if there is one
 * @throws RequestError as soon as the execution is cancelled
 */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
	const abort = signal && getAbortPromise(signal);
	for (let left = ms; left > 0 && !signal?.aborted; left -= SLICE_MS) {
		const slice = sleep(Math.min(left, SLICE_MS));
		await (abort ? Promise.race([slice, abort]) : slice);
	}
	if (signal?.aborted) throw cancellationError();
}

/** One listener serves all delays of an execution: Node.js warns of a leak above ten. */
const abortPromises = new WeakMap<AbortSignal, Promise<void>>();

function getAbortPromise(signal: AbortSignal): Promise<void> {
	let promise = abortPromises.get(signal);
	if (!promise) {
		promise = new Promise((resolve) => {
			signal.addEventListener('abort', () => resolve(), { once: true });
		});
		abortPromises.set(signal, promise);
	}
	return promise;
}
