import { getVoices } from '../../support/parameters';
import { collect, startByHand, useN8n } from '../runningN8n';

const n8n = useN8n();

/** Tests a credential as the editor does when it is saved. */
async function testCredential(data: { baseUrl: string; apiKey: string }) {
	const { id, name } = n8n.account.avatarStudioApi!;
	return await n8n.rest<{ status: string; message: string }>('POST', '/credentials/test', {
		credentials: { id, name, type: 'avatarStudioApi', data },
	});
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

test('An item whose credential somebody has deleted is on the error output', async () => {
	const { url, apiKey } = n8n.service;
	const credentials = await n8n.newAccount('avatarStudioApi', { baseUrl: url, apiKey });
	const settings = { credentials, onError: 'continueErrorOutput' };
	const nodes = [startByHand, n8n.studio('List voices', getVoices(), settings)];
	const id = await n8n.newWorkflow(
		'Deleted credential',
		[...nodes, collect('Done'), collect('Failed')],
		[
			[startByHand.name, 'main', 'List voices'],
			['List voices', 'main', 'Done'],
			['List voices', 'main', 'Failed', 1],
		],
	);
	await n8n.rest('DELETE', `/credentials/${n8n.accounts.pop()}`);
	const { items } = await n8n.run(id);
	expect(items.Done ?? []).toEqual([]);
	expect(items.Failed).toMatchObject([{ error: expect.stringContaining('does not exist') }]);
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
});
