import { useN8n } from '../runningN8n';

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
