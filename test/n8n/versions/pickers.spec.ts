import { STUDIO, useN8n } from '../runningN8n';

const n8n = useN8n();

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

test('A picker finds a voice by the search text, and says what to do if the key is wrong', async () => {
	expect(await searchVoices('ryan')).toEqual(['au-en-GB-ryan']);
	n8n.service.configure({ apiKey: 'another-key' });
	await expect(searchVoices('')).rejects.toThrow('API key');
});
