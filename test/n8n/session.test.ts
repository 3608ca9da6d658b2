import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { Session } from '../../n8n/session';

let server: Server;
let connections = 0;

beforeEach(async () => {
	server = createServer((_, response) => void response.end('{"data":{}}'));
	server.on('connection', () => connections++);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
});

afterEach(() => {
	server.closeAllConnections();
	server.close();
});

describe('a session with n8n', () => {
	it('has a connection for each request, so none fails because n8n has just closed it', async () => {
		const { port } = server.address() as AddressInfo;
		const session = new Session(`http://127.0.0.1:${port}`, async () => await Promise.resolve([]));

		await session.rest('GET', '/settings');
		await session.rest('GET', '/settings');

		expect(connections).toBe(2);
	});
});
