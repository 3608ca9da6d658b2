import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { tryParseJson } from '../../nodes/AvatarStudio/client/response/json';
import { useClock } from '../support/clock';
import { getErrorText } from '../support/engine/engine';
import { createSpeech, createSpeeches, createVideo, getAsset } from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();

test.each([
	[402, {}],
	[504, {}],
	[429, { options: { waitIfBusyMinutes: 0 } }],
])(
	'Nothing is sent after the headers of an error that stops the run, however late its words are (%i)',
	async (status, parameters) => {
		let [isRefused, sentAfter] = [false, 0];
		const host = await startRawHost((request, response) => {
			const isFirst = host.requests === 1;
			request.resume().on('end', () => {
				if (isRefused) sentAfter++;
				response.setHeader('content-type', 'application/json');
				if (!isFirst) return setTimeout(() => response.end('{"id":"x"}'), 300);
				response.writeHead(status).write('{"message":');
				// Until then, what was sent before may arrive.
				setTimeout(() => (isRefused = true), 1_000);
				return setTimeout(() => response.end('"No credits"}'), 1_500);
			});
		});
		const [speech, options] = createSpeeches(400);
		const { error } = await studio.getOutcome(
			{ ...speech, ...parameters },
			{
				...options,
				credentials: { ...studio.credentials, baseUrl: host.url },
			},
		);

		expect(error?.message).toContain('No credits');
		expect(sentAfter).toBe(0);
	},
	60_000,
);

describe('On a fast clock,', () => {
	const clock = useClock();
	beforeEach(() => clock.run(100));

	it('a refusal whose body does not end is reported within seconds, with what has come', async () => {
		const host = await startRawHost((request, response) => {
			request.resume();
			response.writeHead(422, { 'content-type': 'application/json', 'content-length': '200' });
			response.write('{"message":"Bad voice"}');
		});
		const startedAt = Date.now();
		const { error } = await studio.getOutcome(createSpeech(), {
			credentials: { ...studio.credentials, baseUrl: host.url },
		});

		expect(error?.message).toContain('Bad voice');
		expect(Date.now() - startedAt).toBeLessThan(10_000);
	});

	it.each([521, 523, 525, 526])(
		'a response of %i says that the service was not reached, so a video is made after it',
		async (status) => {
			for (const parameters of [createVideo(), getAsset(studio.service.assets[0]!.id)]) {
				studio.service.injectFault({ status, times: 1 });
				await studio.run(parameters);
			}
			expect(studio.service.videos).toHaveLength(1);
		},
	);

	it('a response may come from the proxy the user set, and says so', async () => {
		const proxy = createServer().on('connect', (_request, socket) => {
			socket.on('error', () => undefined);
			socket.end('HTTP/1.1 403 No\r\ncontent-type: text/html\r\ncontent-length: 0\r\n\r\n');
		});
		await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
		const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
		const { error } = await studio.getOutcome(
			{ ...createVideo(), requestOptions: { proxy: url } },
			{ credentials: { ...studio.credentials, baseUrl: 'https://api.studio-example.com' } },
		);
		proxy.close();

		expect(error && getErrorText(error)).toContain('The proxy may have sent this response');
	});
});

test.each([
	[202, '', '{"id":"77","location":"/v1/jobs/77"}'],
	[201, { status: 'queued' }, '{"id":"77","location":"/v1/jobs/77","status":"queued"}'],
	[200, { id: 'v1' }, '{"id":"v1","location":"/v1/jobs/77"}'],
])('The location of what was created is kept (%i)', async (status, body, expected) => {
	studio.service.injectFault({ status, headers: { location: '/v1/jobs/77' }, body });
	const { json } = await studio.run(createVideo());

	expect(JSON.stringify(json)).toBe(`[${expected}]`);
});

test.each([
	['{"id":1234567890123456789}', { id: '1234567890123456789' }],
	['{"id":-9007199254740993}', { id: '-9007199254740993' }],
	['1234567890123456789', { data: '1234567890123456789' }],
	['{"id":9007199254740991}', { id: 9007199254740991 }],
	['{"n":0.12345678901234568}', { n: 0.12345678901234568 }],
	['{"t":"\\"a\\\\\\": 1234567890123456789, "}', { t: '"a\\": 1234567890123456789, ' }],
])('A number that JavaScript would round is kept as text: %s', async (body, expected) => {
	studio.service.injectFault({ headers: { 'content-type': 'application/json' }, body });
	expect((await studio.run(createVideo())).json).toEqual([expected]);
});

test('A Location of the service is no link to a file', async () => {
	const host = await startRawHost((_request, response) =>
		response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('abc'),
	);
	const location = '/v1/speech/42';
	const create = async (body: object) => {
		studio.service.injectFault({ status: 201, headers: { location }, body, times: 1 });
		return await studio.run(createSpeech({ options: { downloadFile: true } }));
	};
	const { items } = await create({ audioUrl: `${host.url}/file` });
	expect(items[0]?.binary?.data).toMatchObject({ mimeType: 'audio/mpeg' });
	expect((await create({})).json).toMatchObject([
		{ location, fileError: expect.stringContaining('no link to a file') as string },
	]);
});

test.each([
	['echoes a long script', JSON.stringify({ id: 1e15, script: '"Yes," he said. '.repeat(30_000) })],
	['is cut short', `{"id":1234567890123456,"script":"${'\\"'.repeat(60_000)}`],
	['has a million line breaks', JSON.stringify({ id: 1e15, log: '\n'.repeat(1_000_000) })],
])(
	'An answer with a long number that %s holds n8n no longer than one without it',
	(_name, body) => {
		const measure = (text: string) => {
			const startedAt = performance.now();
			tryParseJson(text);
			return performance.now() - startedAt;
		};
		const plainMs = measure(body.replace(/\d{16}/, '1'));
		expect(measure(body)).toBeLessThan(20 * plainMs + 100);
	},
);
