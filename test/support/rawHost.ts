import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

import { generate } from 'selfsigned';

type RequestListener = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A host that sends exactly what a test specifies, for responses the stand-in cannot send. */
export interface RawHost {
	readonly url: string;
	/** Those of an account at this host. */
	readonly credentials: { baseUrl: string; apiKey: string };
	requests: number;
	close(): Promise<void>;
}

const running = new Set<RawHost>();
afterEach(async () => {
	await Promise.all([...running].map(async (host) => await host.close()));
	running.clear();
});

/** Starts a host on 127.0.0.1 that is closed at the end of the test. */
export async function startRawHost(listener: RequestListener): Promise<RawHost> {
	const host = await openRawHost(listener);
	running.add(host);
	return host;
}

/** Starts a host with TLS on 127.0.0.1, and a certificate that nobody trusts. */
export async function openSecureHost(listener: RequestListener): Promise<RawHost> {
	const { cert, private: key } = await generate([{ name: 'commonName', value: 'studio' }]);
	return await openRawHost(listener, { cert, key });
}

/** Starts a host on 127.0.0.1. */
export async function openRawHost(
	listener: RequestListener,
	tls?: { cert: string; key: string },
): Promise<RawHost> {
	const respond: RequestListener = (request, response) => {
		host.requests += 1;
		listener(request, response);
	};
	const server = tls ? createSecureServer(tls, respond) : createServer(respond);
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const close = async () => {
		const closed = once(server, 'close');
		server.close();
		server.closeAllConnections();
		await closed;
	};
	const { port } = server.address() as AddressInfo;
	const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}`;
	const credentials = { baseUrl: url, apiKey: 'key' };
	const host: RawHost = { url, credentials, requests: 0, close };
	return host;
}

/** Ends a response with JSON. */
export function sendJson(response: ServerResponse, body: object): void {
	response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

/** A URL at which nothing listens. */
export async function findUnusedAddress(): Promise<{ url: string; port: number }> {
	const host = await openRawHost(() => {});
	await host.close();
	return { url: host.url, port: Number(new URL(host.url).port) };
}
