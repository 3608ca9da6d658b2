import { Readable } from 'node:stream';

import axios from 'axios';

import { getReach } from '../../nodes/AvatarStudio/client/reach';
import { createFinishedVideo, downloadAsset, SOME_ID } from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();
const PUBLIC = { baseUrl: 'https://api.example.com', apiKey: 'key' };
const METADATA = 'http://169.254.169.254/latest/meta-data';

/** What the hosts of this test respond: without them, their names would be resolved. */
const respond = jest.fn<{ status?: number; headers?: object; body: string }, [url: URL]>();
beforeEach(() => {
	jest.replaceProperty(axios.defaults, 'adapter', async (config) => {
		const { status = 200, headers, body } = respond(new URL(config.url!));
		return await Promise.resolve({
			status,
			statusText: '',
			headers: { 'content-type': 'application/json', ...headers },
			data: Readable.from([Buffer.from(body)]),
			config,
			request: {},
		});
	});
});
afterEach(() => {
	jest.restoreAllMocks();
	respond.mockReset();
});

/** Runs a download whose asset links to `link`, and returns the addresses that were requested. */
async function download(link: string, credentials = PUBLIC) {
	respond.mockImplementation(({ pathname }) => {
		if (pathname === '/redirect') return { status: 302, headers: { location: METADATA }, body: '' };
		const isAsset = pathname.startsWith('/v1/assets');
		return isAsset
			? { body: JSON.stringify({ id: SOME_ID, url: link }) }
			: { body: 'secret', headers: { 'content-type': 'image/png' } };
	});
	const settings = { onError: 'continueErrorOutput' } as const;
	const { errorItems, items } = await studio.run(downloadAsset(SOME_ID), { credentials, settings });
	const asked = respond.mock.calls.map(([url]) => url.href);
	return { asked, items, error: errorItems[0]?.json };
}

test.each([
	['not waited for', { videoUrl: `${METADATA}.mp4` }, {}],
	[
		'not tried',
		{ status: 'done', videoUrl: `${METADATA}.mp4`, watermarkUrl: `${METADATA}-w.mp4` },
		{ finished: true },
	],
])('A video in a private network is %s, and its link is handed on', async (_what, body, shown) => {
	respond.mockReturnValue({ body: JSON.stringify(body) });
	const { json } = await studio.run(createFinishedVideo(), { credentials: PUBLIC });
	expect(json).toStrictEqual([{ ...body, ...shown, fileUrl: `${METADATA}.mp4` }]);
	expect(respond).toHaveBeenCalledTimes(1);
});

const isTold = expect.stringContaining('private network') as string;
const REFUSED = { error: isTold, errorDetails: { code: 'privateHost' } };

describe('G3: a link of the service into the network of n8n', () => {
	const spellings = ['http://[::ffff:169.254.169.254]/', 'http://2852039166/'];

	it.each([METADATA, 'http://n8n:5678/', ...spellings])('(%s) is not followed', async (link) => {
		const { asked, error } = await download(link);
		expect(asked).toEqual([`${PUBLIC.baseUrl}/v1/assets/${SOME_ID}`]);
		expect(error).toMatchObject(REFUSED);
	});

	it('is not followed by way of a redirect either', async () => {
		const { asked, error } = await download('https://files.example.com/redirect');
		expect(asked.at(-1)).toBe('https://files.example.com/redirect');
		expect(error).toMatchObject(REFUSED);
	});

	it('is followed if the service itself is there', async () => {
		const credentials = { ...PUBLIC, baseUrl: 'http://localhost:9000' };
		const { items } = await download('http://127.0.0.1:9000/file.png', credentials);
		expect(items).toHaveLength(1);
	});
});

test.each([
	[0, 'localhost localhost. app.localhost 127.8.9.1 127.10.20.30'],
	[0, '0.0.0.0 0.1.2.3 [::1] [::] 0x7f.1'],
	[1, '10.1.2.3 172.16.0.1 172.20.30.40 172.31.255.1 192.168.1.1 169.254.1.1'],
	[1, '100.64.0.1 100.70.30.40 100.110.30.40 100.127.255.1'],
	[1, '[fc00::1] [fd00::1] [fe80::1] [ff02::1] [::ffff:127.0.0.1] [::ffff:10.0.0.1]'],
	[1, 'nas nas.lan a.local a.internal a.home a.home.arpa a.localdomain a.corp a.test a.test.'],
	[1, 'a.intranet a.private minio.svc minio.storage.svc.cluster fritz.box nas.fritz.box'],
	[2, 'example.com local.example.com my-localhost.com localhost.example.com nas.example a.box'],
	[2, '127.0.0.1.example.com 10.1.2.3.example.com myfritz.box a.private.example a-b.example.com'],
	[2, 'example.xn--p1ai 8.8.8.8 8.10.1.2 11.1.2.3 110.1.2.3 172.32.0.1 172.15.0.1'],
	[2, '100.63.0.1 100.128.0.1 169.253.1.1 [2001:db8::1] [2a00:1450::1] [3fff:1:2::7]'],
])('G3: From level %i a host is reached: %s', (reach, hosts) => {
	const wrong = hosts.split(' ').filter((host) => getReach(`http://${host}/`) !== reach);
	expect(wrong).toEqual([]);
});
