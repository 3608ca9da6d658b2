import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { connect, createServer, Socket, type AddressInfo, type Server } from 'node:net';

import { generate } from 'selfsigned';

import { useClock } from '../support/clock';
import { getError, getErrorText } from '../support/engine/engine';
import { createVideo } from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
const clock = useClock();
beforeEach(() => clock.run());

const TRIES = 4;
/** Of TLS 1.3, in which the server may ask for a certificate after the request. */
const OF_TLS = 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED';

const getPort = (server: Server) => (server.address() as AddressInfo).port;

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
		const error = await getError(studio.run(createVideo()));

		expect(getErrorText(error)).toContain(words);
		expect(getErrorText(error)).not.toMatch(/store|may exist/);
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
		const failing = getError(studio.run(createVideo()));
		await studio.service.waitForRequest();
		for (const socket of connect.mock.contexts as Socket[]) {
			socket.destroy(systemError('read', code));
		}
		const error = await failing;

		expect(getErrorText(error)).toContain('may exist');
		expect(getErrorText(error)).not.toContain('store');
		expect(studio.service.videos).toHaveLength(1);
	},
);

test.each([
	['before it has responded', false],
	['while it responds', true],
])(
	'G1: A video that n8n cancels %s may exist, and the cancellation is the cause',
	async (...row) => {
		const [, hasHeaders] = row;
		let arrive: () => void;
		const arrival = new Promise<void>((resolve) => (arrive = resolve));
		const host = await startRawHost((_request, response) => {
			if (hasHeaders) response.writeHead(200, { 'content-type': 'application/json' }).write('{');
			arrive();
		});
		const credentials = { baseUrl: host.url, apiKey: 'key' };
		const run = studio.start(createVideo(), { credentials });
		await arrival;
		await new Promise((resolve) => setImmediate(resolve));
		const { error } = await run.cancel();

		expect(error!.message).toBe('The execution was cancelled');
		expect(error!.description).toMatch(/^The video may exist anyway\. Look in .* again\.$/);
		expect(host.requests).toBe(1);
	},
);

describe('G1: over TLS', () => {
	let server: SecureServer;
	let broken: Server;
	/** Those of `broken`, which would keep Jest from ending. */
	const sockets: Socket[] = [];
	let requests = 0;
	/** Breaks the TLS connection once a request has arrived. */
	let disconnect: () => void;
	beforeAll(async () => {
		const { cert, private: key } = await generate([{ name: 'commonName', value: 'studio' }]);
		server = createSecureServer({ cert, key }, () => {
			requests++;
			disconnect();
		});
		broken = createServer((socket) => {
			sockets.push(socket);
			socket.on('error', () => undefined);
			const through = connect(getPort(server)).on('error', () => undefined);
			socket.pipe(through).pipe(socket, { end: false });
			disconnect = () => socket.write('no record of TLS');
		});
		for (const each of [server, broken]) {
			await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
		}
	});
	beforeEach(() => {
		requests = 0;
	});
	afterAll(() => {
		server.closeAllConnections();
		for (const socket of sockets) socket.destroy();
		for (const each of [server, broken]) each.close();
	});
	const run = async (allowUnauthorizedCerts: boolean) =>
		await studio.run(
			{ ...createVideo(), requestOptions: { allowUnauthorizedCerts } },
			{
				credentials: { ...studio.credentials, baseUrl: `https://127.0.0.1:${getPort(broken)}` },
				settings: { retryOnFail: true, waitBetweenTries: 1 },
			},
		);

	it('a video may exist if TLS fails after it was requested', async () => {
		const error = await getError(run(true));

		expect(getErrorText(error)).toContain('is not secure (ERR_SSL_');
		expect(getErrorText(error)).toContain('The video may exist anyway');
		expect(requests).toBe(1);
	});

	it('no video exists if n8n does not trust the certificate', async () => {
		const error = await getError(run(false));

		expect(getErrorText(error)).toContain('is not secure (DEPTH_ZERO_SELF_SIGNED_CERT)');
		expect(getErrorText(error)).not.toMatch(/may exist|attempts/);
		expect(requests).toBe(0);
	});
});
