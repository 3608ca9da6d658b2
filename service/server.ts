import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** The URL of a server that listens. */
export function addressOf(server: Server): string {
	return `http://${LOOPBACK}:${(server.address() as AddressInfo).port}`;
}

/** Makes a server listen on this port of 127.0.0.1; 0 is any free port. */
export async function listen(server: Server, port: number): Promise<void> {
	server.listen(port, LOOPBACK);
	await once(server, 'listening');
}

/** Closes a server and its open connections, if it listens. */
export async function close(server: Server): Promise<void> {
	if (!server.listening) return;
	await new Promise<void>((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
