import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { findFreePorts, requireFree } from '../../n8n/ports';

test('A port that is taken is named, with what it is for and which to use instead', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const ports = { ...(await findFreePorts()), service: port };
	await expect(requireFree(ports, ' --folder elsewhere')).rejects.toMatchObject({
		message: `Another program already uses port ${port} (service).`,
		hint: expect.stringMatching(/npm start -- --port \d+ --folder elsewhere$/) as string,
	});
	server.close();
});
