import { STUDIO, useN8n } from '../runningN8n';

const n8n = useN8n();

/** Tests a credential as the editor does when it is saved. */
async function testCredential(data: { baseUrl: string; apiKey: string }) {
	const { id, name } = n8n.account.avatarStudioApi!;
	return await n8n.rest<{ status: string; message: string }>('POST', '/credentials/test', {
		credentials: { id, name, type: 'avatarStudioApi', data },
	});
}

/** Opens the list of voices in the panel, as the editor does, and returns their IDs. */
async function searchVoices(filter: string): Promise<string[]> {
	const { results } = await n8n.rest<{ results: { value: string }[] }>(
		'POST',
		'/dynamic-node-parameters/resource-locator-results',
		{
			path: 'parameters.voiceId',
			methodName: 'searchVoices',
			filter,
			nodeTypeAndVersion: { name: STUDIO, version: 1 },
			currentNodeParameters: {},
			credentials: n8n.account,
		},
	);
	return results.map(({ value }) => value);
}

test('The credential test passes for the right key and URL, and names what is wrong', async () => {
	const { url: baseUrl, apiKey } = n8n.service;
	const passed = await testCredential({ baseUrl: ` ${baseUrl}/v1/ `, apiKey });
	expect(passed).toMatchObject({ status: 'OK' });
	for (const [name, data] of [
		['API Key', { baseUrl, apiKey: 'wrong-key' }],
		['Base URL', { baseUrl: 'http://127.0.0.1:1', apiKey }],
	] as const) {
		const message = expect.stringContaining(name) as string;
		expect(await testCredential(data)).toMatchObject({ status: 'Error', message });
	}
});

test('The credential test asks the service after an outage, and remembers none of its answers', async () => {
	const { url: baseUrl, apiKey } = n8n.service;
	n8n.service.injectFault({ status: 503, body: { message: 'Under maintenance' } });
	const message = expect.stringContaining('Under maintenance') as string;
	for (let test = 0; test < 2; test++) {
		expect(await testCredential({ baseUrl, apiKey })).toMatchObject({ status: 'Error', message });
	}
	n8n.service.clearFaults();
	n8n.service.requests.length = 0;
	expect(await testCredential({ baseUrl, apiKey })).toMatchObject({ status: 'OK' });
	expect(n8n.service.requests).toHaveLength(1);
});

test('A picker finds a voice by the search text, and says what to do if the key is wrong', async () => {
	expect(await searchVoices('ryan')).toEqual(['au-en-GB-ryan']);
	n8n.service.configure({ apiKey: 'another-key' });
	await expect(searchVoices('')).rejects.toThrow('API key');
});
