import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

import { UserError } from '../scripts/userError';

/** Who listens where, on 127.0.0.1. */
export interface Ports {
	n8n: number;
	broker: number;
	service: number;
	files: number;
	login: number;
}

/** The ports that follow from --port and --service-port. */
export function portsFrom(port: number, servicePort: number): Ports {
	return {
		n8n: port,
		broker: port + 1,
		service: servicePort,
		files: servicePort + 1,
		login: port + 4,
	};
}

/** Refuses to go on while another program listens on one of the ports. */
export async function assertFree(ports: Ports): Promise<void> {
	const taken: string[] = [];
	for (const [use, port] of Object.entries(ports) as [string, number][]) {
		if (!(await isFree(port))) taken.push(`${port} (${use})`);
	}
	if (taken.length === 0) return;
	throw new UserError(
		`Another program already uses port ${taken.join(', ')}.`,
		`Stop that program, or use other ports: npm start -- --port ${await freeBase(ports.n8n)}`,
	);
}

/** Ports for everything, given by the system. */
export async function freePorts(): Promise<Ports> {
	const servers = Array.from({ length: 5 }, () => createServer());
	const ports: number[] = [];
	for (const server of servers) {
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		ports.push((server.address() as AddressInfo).port);
	}
	await Promise.all(servers.map((server) => new Promise((closed) => void server.close(closed))));
	const [n8n, broker, service, files, login] = ports as [number, number, number, number, number];
	return { n8n, broker, service, files, login };
}

async function freeBase(from: number): Promise<number> {
	for (let base = from + 10; base < 65_000; base += 10) {
		const free = await Promise.all([0, 1, 2, 3, 4].map(async (more) => await isFree(base + more)));
		if (free.every(Boolean)) return base;
	}
	return 15_678;
}

/** Listening alone does not tell: macOS lets two programs share a port at different addresses. */
async function isFree(port: number): Promise<boolean> {
	return (await canListen(port)) && !(await answers(port));
}

async function canListen(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

async function answers(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		socket.once('connect', () => {
			socket.destroy();
			resolve(true);
		});
		socket.once('error', () => resolve(false));
	});
}
