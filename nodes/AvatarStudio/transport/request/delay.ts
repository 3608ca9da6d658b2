import { sleep } from 'n8n-workflow';

import { RequestError } from '../errors/requestError';

const SLICE_MS = 1000;

/** What ends a request or a wait when the person cancels; n8n shows its own word for it. */
export function cancellationError(): RequestError {
	return new RequestError({ message: 'The execution was cancelled', hint: 'Run it again.' });
}

/**
 * Waits, but not on after the execution is cancelled.
 *
 * n8n-workflow's `sleep` cannot be cut short and community nodes may not use timers: short
 * slices keep what is left running after a cancellation below a second.
 *
 * @param ms how long to wait, in milliseconds
 * @param signal n8n's cancellation signal of this execution, where there is one
 * @throws Failure at once when the execution is cancelled
 */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
	const stop = signal && getAbortPromise(signal);
	for (let left = ms; left > 0 && !signal?.aborted; left -= SLICE_MS) {
		const slice = sleep(Math.min(left, SLICE_MS));
		await (stop ? Promise.race([slice, stop]) : slice);
	}
	if (signal?.aborted) throw cancellationError();
}

/** One listener serves all waits of an execution: Node warns of a leak where there are more than ten. */
const abortPromises = new WeakMap<AbortSignal, Promise<void>>();

function getAbortPromise(signal: AbortSignal): Promise<void> {
	let stop = abortPromises.get(signal);
	if (!stop) {
		stop = new Promise((resolve) => {
			signal.addEventListener('abort', () => resolve(), { once: true });
		});
		abortPromises.set(signal, stop);
	}
	return stop;
}
