import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { generate } from 'selfsigned';

import { startService, type Service } from '../../../service/service';
import { useN8n, type Part } from '../runningN8n';

const n8n = useN8n();
let otherService: Service;

beforeAll(async () => {
	otherService = await startService({ apiKey: 'of-somebody-else' });
});

beforeEach(() => {
	otherService.reset();
});

afterAll(async () => {
	await otherService.close();
});

/** What Custom API Call creates: n8n's HTTP Request node with this node's credential. */
function httpRequest(url: string, parameters: object = {}): Part {
	return {
		name: 'HTTP Request',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'avatarStudioApi',
			options: {},
			...parameters,
		},
		credentials: n8n.account,
	};
}

describe('Custom API Call', () => {
	it('sends the key to the service', async () => {
		const { status, items } = await n8n.runChain(
			httpRequest(`${n8n.service.url}/v1/voices?query=ryan`),
		);

		expect(status).toBe('success');
		expect(items['HTTP Request']).toEqual([
			{ voices: [expect.objectContaining({ voiceId: 'au-en-GB-ryan' })] },
		]);
		expect(n8n.service.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
			n8n.service.apiKey,
		]);
	});

	it('can send fields that this node does not have', async () => {
		n8n.service.configure({ extraBodyFields: ['background'] });
		const body = { videoTitle: 'Greeting', script: 'Hello!', background: 'blue' };
		const { items } = await n8n.runChain(
			httpRequest(`${n8n.service.url}/v1/talkingphotos`, {
				method: 'POST',
				sendBody: true,
				specifyBody: 'json',
				jsonBody: JSON.stringify(body),
			}),
		);

		expect(items['HTTP Request']).toEqual([
			{
				id: n8n.service.videos[0]!.id,
				videoTitle: 'Greeting',
				status: 'completed',
				url: expect.any(String),
			},
		]);
		expect(n8n.service.videos).toEqual([expect.objectContaining({ background: 'blue' })]);
	});

	it('sends nothing to another host and says why', async () => {
		const { status, error } = await n8n.runChain(httpRequest(`${otherService.url}/v1/voices`));

		expect(status).toBe('error');
		expect(error).toContain(
			`The API key is for ${n8n.service.url} only and was not sent to ${otherService.url}.`,
		);
		expect(error).toContain('set it as Base URL in the credential');
		expect(otherService.requests).toEqual([]);
	});

	it.each([
		[302, 'GET', '/v1/voices'],
		[307, 'GET', '/v1/assets'],
		[308, 'POST', '/v1/talkingphotos'],
	])('does not follow a redirect (%i) of %s %s to another host', async (status, method, path) => {
		n8n.service.injectFault({ status, headers: { location: `${otherService.url}${path}` } });
		const options = { redirect: { redirect: { followRedirects: true, maxRedirects: 21 } } };
		const run = await n8n.runChain(
			httpRequest(`${n8n.service.url}${path}`, {
				method,
				options,
				...(method === 'POST' ? { sendBody: true, specifyBody: 'json', jsonBody: '{}' } : {}),
			}),
		);

		expect(run.status).toBe('error');
		expect(run.error).toContain(String(status));
		expect(n8n.service.requests).toHaveLength(1);
		expect(otherService.requests).toEqual([]);
	});

	it('sends nothing through a proxy whose certificate the workflow trusts by itself', async () => {
		const proxied: string[] = [];
		const proxy = createServer().on('connect', ({ url = '' }, socket) => {
			proxied.push(url);
			socket.end();
		});
		await once(proxy.listen(0, '127.0.0.1'), 'listening');
		const { cert } = await generate([{ name: 'commonName', value: 'api.example.com' }]);
		const credentials = {
			...(await n8n.newAccount('avatarStudioApi', {
				baseUrl: 'https://api.example.com',
				apiKey: 'a-key-that-stays-at-home',
			})),
			...(await n8n.newAccount('httpSslAuth', { ca: cert })),
		};
		const options = { proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
		const run = async (parameters: object) =>
			await n8n.runChain({
				...httpRequest('https://api.example.com/v1/voices', { options, ...parameters }),
				credentials,
			});
		const { error } = await run({ provideSslCertificates: true });
		expect(proxied).toEqual([]);
		await run({});
		proxy.close();

		expect(error).toContain('SSL Certificates cannot be used with a proxy');
		expect(proxied).toEqual(['api.example.com:443']);
	});
});
