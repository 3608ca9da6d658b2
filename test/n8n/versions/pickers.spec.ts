import { STUDIO, useN8n } from '../runningN8n';

const n8n = useN8n();

interface Picked {
	results: { name: string; value: string }[];
	paginationToken?: unknown;
}

/** Opens a list in the panel, as the editor does. */
async function open(method: string, parameter: string, filter?: string): Promise<Picked> {
	return await n8n.rest<Picked>('POST', '/dynamic-node-parameters/resource-locator-results', {
		path: `parameters.${parameter}`,
		methodName: method,
		filter,
		nodeTypeAndVersion: { name: STUDIO, version: 1 },
		currentNodeParameters: {},
		credentials: n8n.account,
	});
}

describe('Pickers', () => {
	it('list the assets of the account', async () => {
		const { results } = await open('searchAssets', 'assetId');

		expect(results.map(({ value }) => value).sort()).toEqual(
			n8n.service.assets.map(({ id }) => id).sort(),
		);
	});

	it('find a voice by the search text', async () => {
		const { results } = await open('searchVoices', 'voiceId', 'ryan');

		expect(results).toEqual([expect.objectContaining({ value: 'au-en-GB-ryan' })]);
	});

	it('say what to do if the key is wrong', async () => {
		n8n.service.configure({ apiKey: 'another-key' });

		await expect(open('searchVoices', 'voiceId')).rejects.toThrow('API key');
	});
});
