import { getReach } from '../../nodes/AvatarStudio/client/hosts';
import { type InMemoryRequest, answerInMemory } from '../support/inMemoryHost';
import { createSpeech, downloadAsset, SOME_ID } from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();
const PUBLIC = { baseUrl: 'https://api.example.com', apiKey: 'key' };
const METADATA = 'http://169.254.169.254/latest/meta-data';

/** Runs a download whose asset links to `link`, and returns the addresses that were requested. */
async function download(link: string, credentials = PUBLIC) {
	const asked: string[] = [];
	const end = answerInMemory(({ url }: InMemoryRequest) => {
		asked.push(url.href);
		if (url.pathname.startsWith('/v1/assets'))
			return { status: 200, body: { id: SOME_ID, url: link } };
		return url.pathname === '/redirect'
			? { status: 302, headers: { location: METADATA } }
			: { status: 200, body: 'secret', contentType: 'image/png' };
	});
	const { error, items } = await studio.getOutcome(downloadAsset(SOME_ID), { credentials });
	end();
	return { asked, items, error };
}

describe('a link of the service into the network of n8n', () => {
	it.each([
		METADATA,
		'http://127.0.0.1:5678/rest/settings',
		'http://[::ffff:169.254.169.254]/',
		'http://10.0.0.8/',
		'http://n8n:5678/',
		'http://db.internal./',
		'http://2852039166/',
		'http://0x7f.1/',
	])('(%s) is not followed', async (link) => {
		const { asked, error } = await download(link);

		expect(asked).toEqual([`${PUBLIC.baseUrl}/v1/assets/${SOME_ID}`]);
		expect(error?.message).toContain('private network');
	});

	it('has a code of its own, for a Switch node on the error output', async () => {
		const end = answerInMemory(() => ({ status: 200, body: { id: SOME_ID, url: METADATA } }));
		const { errorItems } = await studio.run(downloadAsset(SOME_ID), {
			credentials: PUBLIC,
			settings: { onError: 'continueErrorOutput' },
		});
		end();

		expect(errorItems[0]?.json.code).toBe('privateHost');
	});

	it('is not followed by way of a redirect either', async () => {
		const { asked, error } = await download('https://files.example.com/redirect');

		expect(asked.at(-1)).toBe('https://files.example.com/redirect');
		expect(error?.message).toContain('private network');
	});

	it('is followed if the service itself is there', async () => {
		const { items } = await download('http://127.0.0.1:9000/file.png', {
			...PUBLIC,
			baseUrl: 'http://localhost:9000',
		});

		expect(items).toHaveLength(1);
	});

	it('leaves what was created without a file, and says why', async () => {
		const end = answerInMemory(() => ({ status: 200, body: { result: METADATA } }));
		const { json } = await studio.run(createSpeech({ options: { downloadFile: true } }), {
			credentials: PUBLIC,
		});
		end();

		expect(json).toMatchObject([
			{ fileError: expect.stringContaining('private network') as string },
		]);
	});
});

test.each([
	[
		0,
		['localhost', 'app.localhost', '127.8.9.1', '0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]'],
	],
	[1, ['10.1.2.3', '172.16.0.1', '172.31.255.1', '192.168.1.1', '169.254.1.1', '100.64.0.1']],
	[
		1,
		['100.127.255.1', '[fd00::1]', '[fe80::1]', '[::ffff:10.0.0.1]', 'nas', 'nas.lan', 'a.local'],
	],
	[
		1,
		[
			'[::a9fe:a9fe]',
			'[::ffff:0:a9fe:a9fe]',
			'[64:ff9b::a9fe:a9fe]',
			'192.0.0.192',
			'168.63.129.16',
		],
	],
	[1, ['minio.svc', 'asset-service.default', 'db.kube-system', 'a.intranet']],
	[1, ['a.internal', 'a.home', 'a.home.arpa', 'a.localdomain', 'a.corp', 'a.test', 'a.test.']],
	[
		2,
		['example.com', '8.8.8.8', '172.32.0.1', '100.128.0.1', '[2001:db8::1]', 'local.example.com'],
	],
	[0, ['127.10.20.30', '[::ffff:7f0a:1]']],
	[1, ['10.20.30.40', '192.168.20.30', '172.20.30.40', '100.70.30.40', '100.110.30.40']],
	[2, ['my-localhost.com', 'localhost.example.com', '127.0.0.1.example.com', '110.1.2.3']],
	[2, ['10.1.2.3.example.com', '[2001:db8::ffff:7f00:1]', '8.10.1.2', '192.0.1.1']],
	[2, ['[::ffff:8.8.8.8]', '[64:ff9b::808:808]', 'nas.example', '100.63.0.1', '169.253.1.1']],
	[0, ['0.1.2.3', '[::ffff:0:1]', '[2002:7f00:1::1]', '[64:ff9b::7f00:1]', 'localhost.']],
	[1, ['[64:ff9b:1::808:808]', '[2002:a00:1::]', '[2002:c0a8:101::1]', '[2002:a9fe:a9fe::]']],
	[1, ['198.18.0.1', '198.19.255.1', '224.0.0.1', '239.1.2.3', '240.0.0.1', '255.255.255.255']],
	[1, ['[ff02::1]', '[fec0::1]', '[fc00::1]', '[100::1]', '[::ffff:c612:1]', '192.0.0.8']],
	[1, ['a.private', 'fritz.box', 'nas.fritz.box', 'minio.storage.svc.cluster', 'home.arpa']],
	[
		2,
		[
			'[2002:808:808::1]',
			'198.17.1.1',
			'198.20.1.1',
			'223.1.2.3',
			'[2a00:1450::1]',
			'[3fff:1:2:3:4:5:6:7]',
		],
	],
	[2, ['a.box', 'myfritz.box', 'a.private.example', '168.63.129.17', '11.1.2.3', '192.0.1.0']],
	[2, ['a-b.example.com', 'a-b.c-d.example', 'example.xn--p1ai']],
])('From level %i a host is reached: %j', (reach, hosts) => {
	expect(hosts.filter((host) => getReach(`http://${host}/`) !== reach)).toEqual([]);
});
