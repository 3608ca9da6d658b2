import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A host that sends exactly what a test specifies, for responses the stand-in cannot send. */
export interface RawHost {
	readonly url: string;
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

/** Starts a host on 127.0.0.1. */
export async function openRawHost(listener: RequestListener): Promise<RawHost> {
	const server = createServer((request, response) => {
		host.requests += 1;
		listener(request, response);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const close = async () => {
		const closed = once(server, 'close');
		server.close();
		server.closeAllConnections();
		await closed;
	};
	const { port } = server.address() as AddressInfo;
	const host: RawHost = { url: `http://127.0.0.1:${port}`, requests: 0, close };
	return host;
}

/** A URL at which nothing listens. */
export async function findUnusedAddress(): Promise<{ url: string; port: number }> {
	const host = await openRawHost(() => {});
	await host.close();
	return { url: host.url, port: Number(new URL(host.url).port) };
}
