import type { ImportLimits } from './options';

/** A file taken from somewhere else, or why it was not taken. */
export type FetchedFile = { content: Buffer; contentType: string } | { refusal: string };

/** Takes a file from an http(s) address, within bounds of size and time. */
export async function fetchFile(
	address: string,
	{ maxBytes, timeoutMs }: Required<ImportLimits>,
): Promise<FetchedFile> {
	if (!/^https?:$/.test(new URL(address).protocol)) {
		return { refusal: 'fileUrl must be an http or https address.' };
	}
	try {
		const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
		if (!response.ok) {
			await response.body?.cancel();
			return { refusal: `fileUrl answered with status ${response.status}.` };
		}
		const content = await readAtMost(response, maxBytes);
		if (!content) return { refusal: `The file is larger than ${maxBytes} bytes.` };
		const [contentType = ''] = (response.headers.get('content-type') ?? '').split(';');
		return { content, contentType: contentType.trim() || 'application/octet-stream' };
	} catch (error) {
		const isLate = (error as Error).name === 'TimeoutError';
		return {
			refusal: isLate
				? `The file did not arrive within ${timeoutMs} ms.`
				: 'fileUrl could not be read.',
		};
	}
}

async function readAtMost(response: Response, maxBytes: number): Promise<Buffer | undefined> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	if (!response.body) return Buffer.alloc(0);
	// Leaving the loop early cancels the rest of the download.
	for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
		size += chunk.length;
		if (size > maxBytes) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}
