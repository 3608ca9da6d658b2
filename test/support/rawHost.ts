import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A host that sends exactly what a test specifies, for responses the stand-in cannot send. */
export interface RawHost {
	readonly url: string;
	/** Number of requests so far. */
	requests: number;
	close(): Promise<void>;
}

const running = new Set<RawHost>();
afterEach(async () => {
	await Promise.all([...running].map(async (host) => await host.close()));
	running.clear();
});

/** Starts a host on 127.0.0.1 that is closed at the end of the test. */
export async function startRawHost(listener: RequestListener, port?: number): Promise<RawHost> {
	const host = await openRawHost(listener, port);
	running.add(host);
	return host;
}

/** Starts a host on 127.0.0.1, on any free port by default. */
export async function openRawHost(listener: RequestListener, port = 0): Promise<RawHost> {
	const sockets = new Set<Socket>();
	const server = createServer((request, response) => {
		host.requests += 1;
		listener(request, response);
	});
	server.on('connection', (socket) => sockets.add(socket));
	await listen(server, port);
	const host: RawHost = {
		url: `http://127.0.0.1:${getPort(server)}`,
		requests: 0,
		close: async () => {
			sockets.forEach((socket) => socket.destroy());
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
	return host;
}

/** A URL at which nothing listens. */
export async function findUnusedAddress(): Promise<{ url: string; port: number }> {
	const server = createServer();
	await listen(server, 0);
	const port = getPort(server);
	await new Promise<void>((resolve) => server.close(() => resolve()));
	return { url: `http://127.0.0.1:${port}`, port };
}

async function listen(server: Server, port: number): Promise<void> {
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
}

function getPort(server: Server): number {
	return (server.address() as AddressInfo).port;
}
