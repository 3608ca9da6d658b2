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
	it('derives one for each use', () => {
		expect(derivePorts(7000)).toEqual({
			n8n: 7000,
			broker: 7001,
			service: 7002,
			files: 7003,
			login: 7004,
			model: 7005,
		});
	});

	it('goes on where all are free', async () => {
		await expect(requireFree(await findFreePorts())).resolves.toBeUndefined();
	});

	it('names the one that is taken, what it was for, and others to use', async () => {
		const ports = { ...(await findFreePorts()), service: taken };

		await expect(requireFree(ports)).rejects.toMatchObject({
			message: `Another program already uses port ${taken} (service).`,
			hint: expect.stringMatching(/npm start -- --port \d+$/) as string,
		});
	});

	it('never gives out one port twice', async () => {
		const ports = Object.values(await findFreePorts());

		expect(new Set(ports).size).toBe(6);
	});
});
