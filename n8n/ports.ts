import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

import { UserError } from '../scripts/userError';

/** The ports on 127.0.0.1, by what listens there. */
export interface Ports {
	n8n: number;
	broker: number;
	service: number;
	files: number;
	/** The scripted language model. */
	model: number;
	login: number;
}

/** Derives all ports from --port and --service-port. */
export function derivePorts(port: number, servicePort: number): Ports {
	return {
		n8n: port,
		broker: port + 1,
		service: servicePort,
		files: servicePort + 1,
		model: port + 5,
		login: port + 4,
	};
}

/** @throws UserError if another program listens on one of the ports */
export async function requireFree(ports: Ports): Promise<void> {
	const taken: string[] = [];
	for (const [use, port] of Object.entries(ports) as [string, number][]) {
		if (!(await isFree(port))) taken.push(`${port} (${use})`);
	}
	if (taken.length === 0) return;
	throw new UserError(
		`Another program already uses port ${taken.join(', ')}.`,
		`Stop that program, or use other ports: npm start -- --port ${await findFreeBase(ports.n8n)}`,
	);
}

/** Returns free ports for everything, chosen by the operating system. */
export async function findFreePorts(): Promise<Ports> {
	const servers: Server[] = [];
	const reserve = async () => {
		const server = createServer();
		servers.push(server);
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return (server.address() as AddressInfo).port;
	};
	const ports = {
		n8n: await reserve(),
		broker: await reserve(),
		service: await reserve(),
		files: await reserve(),
		model: await reserve(),
		login: await reserve(),
	};
	await Promise.all(servers.map((server) => new Promise((closed) => void server.close(closed))));
	return ports;
}

async function findFreeBase(from: number): Promise<number> {
	for (let base = from + 10; base < 65_000; base += 10) {
		const free = await Promise.all(
			[0, 1, 2, 3, 4, 5].map(async (more) => await isFree(base + more)),
		);
		if (free.every(Boolean)) return base;
	}
	return 15_678;
}

async function isFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}
