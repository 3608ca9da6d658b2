import { sleep, type IDataObject } from 'n8n-workflow';

import { createConnectionError, createTimeoutError } from '../../errors/connectionError';
import type { UserError } from '../../errors/userError';

import { TESTED_LENGTH } from './syntax';

/** A response body as n8n provides it with `encoding: 'stream'`. */
export interface ResponseBody extends AsyncIterable<Uint8Array> {
	destroy(): void;
}

/** A response whose headers have arrived, and whose body is still to be read. */
export interface HttpResponse {
	url: string;
	status: number;
	/** By lower-case name. */
	headers: IDataObject;
	body: ResponseBody;
	/** How long to wait for the body, in milliseconds. */
	timeout: number;
	/** The API key, to be redacted: some services repeat what they reject. */
	apiKey?: string;
}

export type Chunks = AsyncGenerator<Uint8Array, void>;

/**
 * The part of the timeout after which a body is late. n8n may break the connection after the whole of
 * it (test/client/timeouts.test.ts), and then nothing tells a timeout from any other break.
 */
const TIMEOUT_SHARE = 0.9;
/** How often to look whether a body is late, in milliseconds: community nodes may not use timers. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Reads a body in no more time than the response allows, because n8n's own timeout may count only until
 * the headers have arrived (test/client/timeouts.test.ts).
 *
 * @param options `isFile` says that the time is for each chunk; otherwise it is for the whole body
 * @throws RequestError if the body is cut short or late
 */
export async function* readChunks(
	{ body, timeout }: HttpResponse,
	{ isFile = false } = {},
): Chunks {
	const chunks = body[Symbol.asyncIterator]();
	let since = performance.now();
	let isDone = false;
	let abandonRead: (() => void) | undefined;
	const watch = async () => {
		while (!isDone) {
			await sleep(Math.min(timeout / 10, CHECK_INTERVAL_MS));
			if (performance.now() - since >= timeout * TIMEOUT_SHARE) abandonRead?.();
		}
	};
	// Destroying the body does not end a read, because axios wraps one that it unpacks, so each read can
	// be abandoned. `Promise.race` with one promise for all reads would keep every chunk in memory.
	const readNext = async () =>
		await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
			if (isFile) since = performance.now();
			// A file that falls silent is not requested again by `retry`: each attempt could take as long.
			abandonRead = () => reject(createTimeoutError().with({ isGivenUp: isFile }));
			// Whatever the cause, the request has been sent, so nobody knows its effect.
			const fail = (error: unknown) =>
				reject(createConnectionError(error).with({ outcome: 'unknown' }));
			chunks.next().then(resolve, fail);
		});
	void watch();
	try {
		for (let result = await readNext(); !result.done; result = await readNext()) {
			yield result.value;
		}
	} finally {
		isDone = true;
		body.destroy();
	}
}

/** @returns the first bytes of chunks, as many as `detectSyntax` tests if there are, and all the chunks */
export async function peek(chunks: Chunks): Promise<{ start: Buffer; content: Chunks }> {
	const read: Uint8Array[] = [];
	let length = 0;
	while (length < TESTED_LENGTH) {
		const { value } = await chunks.next();
		if (!value) break;
		read.push(value);
		length += value.length;
	}
	return { start: Buffer.concat(read), content: concat(read, chunks) };
}

/** Passes on chunks, and throws an error if they have more than so many bytes. */
export async function* limitLength(
	chunks: Chunks,
	maxBytes: number,
	createError: () => UserError,
): Chunks {
	let byteCount = 0;
	for await (const chunk of chunks) {
		byteCount += chunk.length;
		if (byteCount > maxBytes) throw createError();
		yield chunk;
	}
}

/** Passes on chunks that were read already, then the rest, which is closed in any case. */
export async function* concat(start: Uint8Array[], rest?: Chunks): Chunks {
	try {
		yield* start;
		if (rest) yield* rest;
	} finally {
		await rest?.return();
	}
}

/** @returns chunks as a stream of the same kind as the body, for n8n's binary storage */
export function toStream({ body }: HttpResponse, chunks: Chunks): ResponseBody {
	// Community nodes may not import node:stream.
	const { from } = body.constructor as unknown as {
		from: (chunks: AsyncIterable<Uint8Array>, options: { objectMode: boolean }) => ResponseBody;
	};
	return from(chunks, { objectMode: false });
}
