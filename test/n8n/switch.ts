import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startN8n, type N8n, type N8nOptions } from '../../n8n/n8n';

/** An n8n that test files, which run in separate contexts, can stop and start again. */
export interface N8nSwitch {
	readonly n8n: N8n;
	/** POST to /stop and /start below it. */
	readonly url: string;
	/** Stops both. */
	close(): Promise<void>;
}

/** Starts an n8n with a switch. */
export async function startWithSwitch(options: N8nOptions): Promise<N8nSwitch> {
	let n8n = await startN8n(options);
	const actions: Record<string, () => Promise<void>> = {
		'/stop': async () => await n8n.stop(),
		'/start': async () => {
			n8n = await startN8n(options);
		},
	};
	const server = createServer((request, response) => {
		const action = actions[request.url ?? ''];
		if (!action) {
			response.writeHead(404).end();
			return;
		}
		action().then(
			() => response.writeHead(204).end(),
			(error: Error) => response.writeHead(500).end(error.message),
		);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		n8n,
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close() {
			server.closeAllConnections();
			await new Promise((closed) => void server.close(closed));
			await n8n.stop();
		},
	};
}
