import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const loopback = '127.0.0.1';

/** An HTTP server on 127.0.0.1. */
export class Listener {
	/** TCP connections accepted; may be set back. */
	connections = 0;
	private readonly server: Server;

	constructor(handler: RequestListener) {
		this.server = createServer(handler);
		this.server.on('connection', () => (this.connections += 1));
	}

	/** Address without a trailing slash, once it listens. */
	get url(): string {
		return `http://${loopback}:${(this.server.address() as AddressInfo).port}`;
	}

	/** Starts to listen; 0 is any free port. */
	async listen(port: number): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			this.server.once('error', reject);
			this.server.listen(port, loopback, resolve);
		});
	}

	/** Stops listening and ends every open connection. */
	async close(): Promise<void> {
		if (!this.server.listening) return;
		await new Promise<void>((resolve) => {
			this.server.close(() => resolve());
			this.server.closeAllConnections();
		});
	}
}
