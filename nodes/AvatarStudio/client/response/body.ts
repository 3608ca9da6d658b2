import { sleep } from 'n8n-workflow';

/** A response body as n8n provides it with `encoding: 'stream'`. */
export interface ResponseBody extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

const CHECK_INTERVAL_MS = 1000;

/**
 * Reads a body chunk by chunk and fails if it stalls: n8n's own timeout ends once the headers of a
 * streamed response have arrived.
 *
 * A destroyed body does not end while n8n's HTTP layer waits for a chunk, so a pending read is
 * abandoned. Each read has a promise of its own: racing against a long-lived one would keep every
 * chunk in memory.
 *
 * @param bodyTimeoutMs how long the body may stall, in milliseconds; time the reader spends on a
 *   chunk does not count
 * @throws the body's own error if it is cut short
 */
export async function* readChunks(
	body: ResponseBody,
	bodyTimeoutMs: number,
): AsyncGenerator<Uint8Array, void> {
	const chunks = body[Symbol.asyncIterator]();
	let readStartedAt = 0;
	let abandonRead: (() => void) | undefined;
	let isDone = false;
	const watchForStall = async () => {
		while (!isDone) {
			await sleep(Math.min(bodyTimeoutMs, CHECK_INTERVAL_MS));
			if (abandonRead && Date.now() - readStartedAt >= bodyTimeoutMs) abandonRead();
		}
	};
	const readNext = async () => {
		readStartedAt = Date.now();
		return await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
			abandonRead = () => reject(new Error('The body timed out'));
			chunks.next().then(resolve, (error: Error) => {
				// n8n gives unauthenticated requests the same timeout, but reports a broken connection.
				if (Date.now() - readStartedAt >= bodyTimeoutMs * 0.9) abandonRead?.();
				reject(error);
			});
		}).finally(() => (abandonRead = undefined));
	};
	void watchForStall();
	try {
		for (let result = await readNext(); !result.done; result = await readNext()) {
			yield result.value;
		}
	} finally {
		isDone = true;
		body.destroy();
	}
}

/**
 * @param onError receives the error if the body fails, to distinguish it from one of the storage
 * @returns the chunks of a body as a stream, for n8n's binary storage
 */
export function toStream(
	body: ResponseBody,
	bodyTimeoutMs: number,
	onError: (error: Error) => void,
): ResponseBody {
	// Community nodes may not import node:stream, but the class of the body can create one.
	const { from } = body.constructor as unknown as {
		from: (chunks: AsyncIterable<Uint8Array>, options: { objectMode: boolean }) => ResponseBody;
	};
	const chunks = readChunks(body, bodyTimeoutMs);
	const iterator = {
		next: async () =>
			await chunks.next().catch((error: Error) => {
				onError(error);
				throw error;
			}),
		return: async () => await chunks.return(),
	};
	return from({ [Symbol.asyncIterator]: () => iterator }, { objectMode: false });
}
