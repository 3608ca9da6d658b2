import { brotliCompressSync, gzipSync } from 'node:zlib';

import { getErrorText, testCredential } from '../support/engine/engine';
import { createSpeech, createVideo, getAsset, getVoices, SOME_ID } from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
/** A list of zeros, as long as what the node reads of a body and some more. */
const LARGE = Buffer.from(`[${'0,'.repeat(20 * 1024 * 1024)}0]`);

describe('a response that is small on the wire and huge in memory', () => {
	it.each([
		['Brotli', 'br', brotliCompressSync(LARGE)],
		['gzip', 'gzip', gzipSync(LARGE)],
	])('(%s) is given up', async (_name, encoding, body) => {
		const host = await startRawHost((_request, response) => {
			response
				.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
				.end(body);
		});
		const { error, json } = await studio.run(getVoices(), {
			credentials: { baseUrl: host.url, apiKey: 'key' },
		});
		await host.close();

		expect(body.length).toBeLessThan(100_000);
		expect(json).toEqual([]);
		expect(getErrorText(error)).toContain('larger than 8 MB');
		expect(host.requests).toBe(1);
	});

	it('to a creation may have been created all the same', async () => {
		const host = await startRawHost((_request, response) => {
			response
				.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br' })
				.end(brotliCompressSync(LARGE));
		});
		const { json } = await studio.run(createVideo(), {
			credentials: { baseUrl: host.url, apiKey: 'key' },
			settings: { onError: 'continueRegularOutput' },
		});
		await host.close();

		expect(json).toMatchObject([{ code: 'unexpectedResponse', mayExist: true }]);
	});
});

test('The credential test gives up a response that is small on the wire and huge in memory', async () => {
	const host = await startRawHost((_request, response) => {
		response
			.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'br' })
			.end(brotliCompressSync(LARGE));
	});
	const { message } = await testCredential({ baseUrl: host.url, apiKey: 'key' });
	await host.close();

	expect(message).toContain('larger than 8 MB');
});

test('A response that never ends is given up, and so is the connection', async () => {
	let close!: () => void;
	let isClosed = false;
	const closed = new Promise<void>((resolve) => (close = resolve));
	const host = await startRawHost((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const chunk = ' '.repeat(1024 * 1024);
		const send = () => {
			if (!isClosed) response.write(chunk, send);
		};
		response.on('close', () => {
			isClosed = true;
			close();
		});
		send();
	});
	const { error } = await studio.run(getAsset(SOME_ID), {
		credentials: { baseUrl: host.url, apiKey: 'key' },
	});
	await closed;
	await host.close();

	expect(getErrorText(error)).toContain('larger than 8 MB');
});

test('A file may be as large as it is', async () => {
	const host = await startRawHost((_request, response) => {
		response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(LARGE);
	});
	const { json } = await studio.run(createSpeech(), {
		credentials: { baseUrl: host.url, apiKey: 'key' },
	});
	await host.close();

	expect(json).toMatchObject([{ mimeType: 'audio/mpeg', fileSize: '41.9 MB' }]);
});
