import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

import { requireFree, findFreePorts } from '../../n8n/ports';

let busy: Server;
let taken: number;

beforeEach(async () => {
	busy = createServer().listen(0, '127.0.0.1');
	await once(busy, 'listening');
	taken = (busy.address() as AddressInfo).port;
});

afterEach(() => void busy.close());

describe('ports', () => {
	it('says which port is taken, what it is for, and which to use instead', async () => {
		const ports = { ...(await findFreePorts()), service: taken };

		await expect(requireFree(ports, ' --folder elsewhere')).rejects.toMatchObject({
			message: `Another program already uses port ${taken} (service).`,
			hint: expect.stringMatching(/npm start -- --port \d+ --folder elsewhere$/) as string,
		});
	});
});
