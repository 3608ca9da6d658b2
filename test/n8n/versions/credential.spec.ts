import { getVoices } from '../../support/parameters';
import { useN8n } from '../runningN8n';
import { n8nVersion } from '../servers';

const n8n = useN8n();

/** Tests a credential as the editor does when it is saved. */
async function test(data: { baseUrl: string; apiKey: string }) {
	const { id, name } = n8n.account.avatarStudioApi!;
	return await n8n.rest<{ status: string; message: string }>('POST', '/credentials/test', {
		credentials: { id, name, type: 'avatarStudioApi', data },
	});
}

describe('Credential test', () => {
	it('passes for the right key and URL', async () => {
		const { url, apiKey } = n8n.service;

		expect(await test({ baseUrl: ` ${url}/v1/ `, apiKey })).toMatchObject({ status: 'OK' });
	});

	it.each([
		['a wrong key', () => n8n.service.url, 'wrong-key', 'API Key'],
		['an unreachable host', () => 'http://127.0.0.1:1', 'any-key', 'Base URL'],
		['a wrong URL', () => `${n8n.service.url}/elsewhere`, 'any-key', 'Base URL'],
		['a URL without https', () => 'http://api.example.com', 'any-key', 'https://'],
	])('says what to correct if given %s', async (_what, baseUrl, apiKey, hint) => {
		const { status, message } = await test({ baseUrl: baseUrl(), apiKey });

		expect(status).toBe('Error');
		expect(message).toContain(hint);
		n8n.service.reset();
	});
});

describe('Allowed HTTP Request Domains', () => {
	it('is no setting of the credential', async () => {
		const response = await n8n.session.fetch('/types/credentials.json');
		const types = (await response.json()) as {
			name: string;
			properties: { name: string; type: string }[];
		}[];
		const { properties } = types.find(({ name }) => name === 'avatarStudioApi')!;
		const shown = properties.filter(({ type }) => type !== 'hidden').map(({ name }) => name);
		expect(shown).toEqual(['baseUrl', 'apiKey']);
	});

	it.each([
		['All', { allowedHttpRequestDomains: 'all' }],
		['another domain', { allowedHttpRequestDomains: 'domains', allowedDomains: 'example.org' }],
		['None', { allowedHttpRequestDomains: 'none' }],
	])('does not matter in a credential that was stored with %s', async (setting, stored) => {
		const { url, apiKey } = n8n.service;
		const data = { baseUrl: url, apiKey, ...stored };
		const credentials = await n8n.newAccount('avatarStudioApi', data);
		const execution = await n8n.runChain(n8n.studio('List voices', getVoices(), { credentials }));
		// n8n 2.35 refuses the node of its own accord, before it runs.
		const isRefused = setting === 'None' && n8nVersion().startsWith('2.35.');
		expect(execution.status).toBe(isRefused ? 'error' : 'success');
		expect(n8n.service.requests).toHaveLength(isRefused ? 0 : 1);
	});
});
