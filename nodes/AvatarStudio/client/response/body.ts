import { sleep, type IDataObject } from 'n8n-workflow';

import { createConnectionError, createTimeoutError } from '../../errors/connectionError';
import { UserError } from '../../errors/userError';
import { shorten } from '../../errors/values';

/** A response body as n8n provides it with `encoding: 'stream'`. */
export interface ResponseBody extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

/** A response whose status and headers have arrived and whose body is still to be read. */
export interface HttpResponse {
	url: string;
	status: number;
	/** By lower-case name. */
	headers: IDataObject;
	body: ResponseBody;
	/** How long to wait for the body, in milliseconds. */
	timeout: number;
	/** How long the body may be, decompressed. */
	maxBytes?: number;
	/** The API key, to be redacted: some services repeat what they reject. */
	apiKey?: string;
}

/** A file as a whole, or in chunks as they arrive. */
export type FileContent = Buffer | AsyncGenerator<Uint8Array, void>;

const CHECK_INTERVAL_MS = 1000;

/**
 * Reads a body chunk by chunk, in no more time than the response allows: n8n's own timeout ends once
 * the headers of a streamed response have arrived.
 *
 * A destroyed body does not end while n8n's HTTP layer waits for a chunk, so a pending read is
 * abandoned. Each read has a promise of its own: racing against a long-lived one would keep every
 * chunk in memory.
 *
 * @param isFile whether the time is that of silence. A file may take as long as it does, and time
 *   the reader spends on a chunk does not count; anything else must arrive as a whole
 * @throws RequestError if the body is cut short or late; UserError if it is longer than it may be
 */
export async function* readChunks(
	{ body, timeout, url, maxBytes = Infinity }: HttpResponse,
	isFile = false,
): AsyncGenerator<Uint8Array, void> {
	const chunks = body[Symbol.asyncIterator]();
	let since = performance.now();
	let byteCount = 0;
	let abandonRead: (() => void) | undefined;
	let isDone = false;
	const watch = async () => {
		while (!isDone) {
			// A timer may fire up to a millisecond early: the next check could find the body complete.
			await sleep(Math.min(timeout, CHECK_INTERVAL_MS) + 1);
			if (performance.now() - since >= timeout) abandonRead?.();
		}
	};
	const readNext = async () => {
		if (isFile) since = performance.now();
		return await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
			// A file that fell silent is not begun again: that may take as long each time.
			abandonRead = () => reject(createTimeoutError().with({ isGivenUp: isFile }));
			chunks.next().then(resolve, (error: Error) => {
				// n8n gives unauthenticated requests the same timeout, but reports a broken connection.
				if (performance.now() - since >= timeout * 0.9) abandonRead?.();
				reject(createConnectionError(error));
			});
		}).finally(() => (abandonRead = undefined));
	};
	void watch();
	try {
		for (let result = await readNext(); !result.done; result = await readNext()) {
			byteCount += result.value.length;
			if (byteCount > maxBytes) throw createTooLongError(url);
			yield result.value;
		}
	} finally {
		isDone = true;
		body.destroy();
	}
}

function createTooLongError(url: string): UserError {
	return new UserError(
		`The file from ${shorten(new URL(url).host)} is larger than announced, so it was sent compressed`,
		'It was not stored, because it could fill the disk. Have that host send it uncompressed.',
		{ code: 'noFile' },
	);
}

/** @returns the chunks of a body (see `readChunks`) as a stream, for n8n's binary storage */
export function toStream(
	{ body }: HttpResponse,
	chunks: AsyncGenerator<Uint8Array, void>,
): ResponseBody {
	// Community nodes may not import node:stream, but the class of the body can create one.
	const { from } = body.constructor as unknown as {
		from: (chunks: AsyncIterable<Uint8Array>, options: { objectMode: boolean }) => ResponseBody;
	};
	return from(chunks, { objectMode: false });
}
