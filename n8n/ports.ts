import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { UserError } from '../scripts/userError';

/** What listens on 127.0.0.1; `model` is the scripted language model. */
const USES = ['n8n', 'broker', 'service', 'files', 'model'] as const;

/** The ports on 127.0.0.1, by what listens there. */
export type Ports = Record<(typeof USES)[number], number>;

/** Derives all ports from n8n's, which is the first of consecutive numbers. */
export function derivePorts(port: number): Ports {
	return Object.fromEntries(USES.map((use, index) => [use, port + index])) as Ports;
}

/**
 * Checks that every port is free.
 *
 * @param options of npm start to repeat in the advice
 * @throws UserError if another program listens on one of the ports
 */
export async function requireFree(ports: Ports, options = ''): Promise<void> {
	const taken: string[] = [];
	for (const use of USES) {
		if (!(await isFree(ports[use]))) taken.push(`${ports[use]} (${use})`);
	}
	if (taken.length === 0) return;
	throw new UserError(
		`Another program already uses port ${taken.join(', ')}.`,
		`Stop that program, or use other ports: npm start -- --port ${ports.n8n + 10}${options}`,
	);
}

/** Returns free ports for everything, chosen by the operating system. */
export async function findFreePorts(): Promise<Ports> {
	const servers = USES.map(() => createServer().listen(0, '127.0.0.1'));
	await Promise.all(servers.map((server) => once(server, 'listening')));
	const ports = servers.map((server) => (server.address() as AddressInfo).port);
	await Promise.all(servers.map((server) => new Promise((closed) => void server.close(closed))));
	return Object.fromEntries(USES.map((use, index) => [use, ports[index]])) as Ports;
}

/** Whether nothing listens on a port. */
export async function isFree(port: number): Promise<boolean> {
	return await new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}
