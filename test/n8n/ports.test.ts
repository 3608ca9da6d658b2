import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';

import { requireFree, findFreePorts, derivePorts } from '../../n8n/ports';

let busy: Server;
let taken: number;

beforeEach(async () => {
	busy = createServer().listen(0, '127.0.0.1');
	await once(busy, 'listening');
	taken = (busy.address() as AddressInfo).port;
});

afterEach(() => void busy.close());

describe('ports', () => {
	it('derives a port for each use', () => {
		expect(derivePorts(7000)).toEqual({
			n8n: 7000,
			broker: 7001,
			service: 7002,
			files: 7003,
			login: 7004,
			model: 7005,
		});
	});

	it('accepts free ports', async () => {
		await expect(requireFree(await findFreePorts())).resolves.toBeUndefined();
	});

	it('says which port is taken, what it is for, and which to use instead', async () => {
		const ports = { ...(await findFreePorts()), service: taken };

		await expect(requireFree(ports, ' --folder elsewhere')).rejects.toMatchObject({
			message: `Another program already uses port ${taken} (service).`,
			hint: expect.stringMatching(/npm start -- --port \d+ --folder elsewhere$/) as string,
		});
	});

	it('never returns a port twice', async () => {
		const ports = Object.values(await findFreePorts());

		expect(new Set(ports).size).toBe(6);
	});
});
