import { once } from 'node:events';
import { connect, createServer, Socket, type AddressInfo, type Server } from 'node:net';

import { useClock } from '../support/clock';
import { createVideo } from '../support/parameters';
import { openSecureHost, type RawHost, startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
useClock({ runs: true });

const TRIES = 4;
/** Of TLS 1.3, in which the server may ask for a certificate after the request. */
const OF_TLS = 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED';

/** A system-call error as Node.js creates it. */
const systemError = (syscall: string, code: string) =>
	Object.assign(new Error(`${syscall} ${code}`), { syscall, code });

/** Makes the first connections fail. */
function failConnecting(error: Error, times: number): void {
	const refuse = function (this: Socket) {
		process.nextTick(() => this.destroy(error));
		return this;
	};
	const connect = jest.spyOn(Socket.prototype, 'connect');
	for (let failures = 0; failures < times; failures++) connect.mockImplementationOnce(refuse);
}
afterEach(() => jest.restoreAllMocks());

const unreachable = ['EHOSTUNREACH', 'ENETUNREACH'].map((code) => systemError('connect', code));
/** Of a host with several addresses. */
const unreachableHost = Object.assign(new AggregateError(unreachable), { code: 'EHOSTUNREACH' });

test.each([
	['EHOSTUNREACH', unreachableHost, 'cannot be reached'],
	['ETIMEDOUT', systemError('connect', 'ETIMEDOUT'), 'cannot be reached'],
	['ENOSPC', systemError('connect', 'ENOSPC'), 'cannot be reached'],
	['EAI_AGAIN', systemError('getaddrinfo', 'EAI_AGAIN'), 'could not be looked up'],
	['ENOTFOUND', systemError('getaddrinfo', 'ENOTFOUND'), 'does not exist'],
])(
	'G10: a creation that is never sent (%s) is repeated, and fails with an error about the connection',
	async (_code, failure, words) => {
		failConnecting(failure, TRIES);
		const text = await studio.getFailure(createVideo());

		expect(text).toContain(words);
		expect(text).not.toMatch(/store|may exist/);
		expect(studio.getRoutes()).toEqual([]);

		failConnecting(failure, 2);
		await studio.run(createVideo());
		expect(studio.getRoutes()).toEqual(['POST /v1/talkingphotos']);
	},
);

test.each(['EHOSTUNREACH', 'ETIMEDOUT', OF_TLS])(
	'G1: a video may exist if the connection is lost later with the same code (%s)',
	async (code) => {
		const connect = jest.spyOn(Socket.prototype, 'connect');
		studio.service.injectFault({ hang: true, afterEffect: true });
		const failing = studio.getFailure(createVideo());
		await studio.service.waitForRequest();
		for (const socket of connect.mock.contexts as Socket[]) {
			socket.destroy(systemError('read', code));
		}
		const text = await failing;

		expect(text).toContain('may exist');
		expect(text).not.toContain('store');
		expect(studio.service.videos).toHaveLength(1);
	},
);

test.each(['before it has responded', 'while it responds'])(
	'G1: A video that n8n cancels %s may exist, and the cancellation is the cause',
	async (when) => {
		let arrive: () => void;
		const arrival = new Promise<void>((resolve) => (arrive = resolve));
		const host = await startRawHost((_request, response) => {
			const headers = { 'content-type': 'application/json' };
			if (when === 'while it responds') response.writeHead(200, headers).write('{');
			arrive();
		});
		const run = studio.start(createVideo(), { credentials: host.credentials });
		await arrival;
		await new Promise((resolve) => setImmediate(resolve));
		const { error } = await run.cancel();

		expect(error!.message).toBe('The execution was cancelled');
		expect(error!.description).toMatch(/^The video may exist anyway\. Look in .* again\.$/);
		expect(host.requests).toBe(1);
	},
);

describe('G1: over TLS', () => {
	let host: RawHost;
	let broken: Server;
	/** Those of `broken`, which would keep Jest from ending. */
	const sockets: Socket[] = [];
	/** Breaks the TLS connection once a request has arrived. */
	let disconnect: () => void;
	beforeAll(async () => {
		host = await openSecureHost(() => disconnect());
		broken = createServer((socket) => {
			sockets.push(socket);
			socket.on('error', () => undefined);
			const through = connect(Number(new URL(host.url).port)).on('error', () => undefined);
			socket.pipe(through).pipe(socket, { end: false });
			disconnect = () => socket.write('no record of TLS');
		});
		await once(broken.listen(0, '127.0.0.1'), 'listening');
	});
	afterAll(async () => {
		for (const socket of sockets) socket.destroy();
		broken.close();
		await host.close();
	});
	const getFailure = async (allowUnauthorizedCerts: boolean) => {
		const { port } = broken.address() as AddressInfo;
		const parameters = { ...createVideo(), requestOptions: { allowUnauthorizedCerts } };
		const credentials = { ...studio.credentials, baseUrl: `https://127.0.0.1:${port}` };
		const settings = { retryOnFail: true, waitBetweenTries: 1 };
		return await studio.getFailure(parameters, { credentials, settings });
	};

	it('a video may exist if TLS fails after it was requested', async () => {
		host.requests = 0;
		const text = await getFailure(true);

		expect(text).toContain('is not secure (ERR_SSL_');
		expect(text).toContain('The video may exist anyway');
		expect(host.requests).toBe(1);
	});

	it('no video exists if n8n does not trust the certificate', async () => {
		host.requests = 0;
		const text = await getFailure(false);

		expect(text).toContain('is not secure (DEPTH_ZERO_SELF_SIGNED_CERT)');
		expect(text).not.toMatch(/may exist|attempts/);
		expect(host.requests).toBe(0);
	});
});
