import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

import { createSpeech, downloadAsset, getAssets } from '../../support/parameters';
import { call, useAgent } from '../agent';
import { useN8n, type Part } from '../runningN8n';
import { getServers } from '../servers';

const n8n = useN8n();
const agent = useAgent(n8n);

const speech = () => n8n.studio('Create speech', createSpeech());
const httpRequest = (): Part => ({
	name: 'HTTP Request',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		url: `${n8n.service.url}/v1/voices`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'avatarStudioApi',
		options: { response: { response: { fullResponse: true } } },
	},
	credentials: n8n.account,
});

/** The files of n8n that contain a text: its database, its log, the files of executions. */
function filesHolding(text: string): string[] {
	const { userFolder } = getServers();
	return readdirSync(userFolder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.parentPath.includes(`${sep}node_modules`))
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((file) => readFileSync(file).includes(text));
}

describe('the data that n8n stores', () => {
	it.each<[string, () => Part[]]>([
		[
			'of a list and a download',
			() => [
				n8n.studio('Get many assets', getAssets({ limit: 1 })),
				n8n.studio('Download asset', downloadAsset()),
			],
		],
		['of a creation', () => [speech()]],
		['of a Custom API Call', () => [httpRequest()]],
	])('%s does not contain the key', async (_what, parts) => {
		const run = await n8n.runChain(...parts());
		const stored = await n8n.stored(run.id);

		expect(run.status).toBe('success');
		expect(stored).toContain('executionTime');
		expect(stored).not.toContain(n8n.service.apiKey);
	});

	it.each<[string, () => void, () => Part]>([
		['a rejected key', () => n8n.service.configure({ apiKey: 'another-key' }), speech],
		[
			'a response that repeats the key',
			() =>
				n8n.service.injectFault({
					status: 401,
					body: { message: `Who is ${n8n.service.apiKey}?`, key: n8n.service.apiKey },
				}),
			speech,
		],
		[
			'a redirect with the key in it',
			() =>
				n8n.service.injectFault({
					status: 302,
					headers: { location: `http://127.0.0.1:1/${n8n.service.apiKey}` },
				}),
			speech,
		],
		[
			'a dropped connection',
			() => n8n.service.injectFault({ disconnect: 'beforeResponse' }),
			speech,
		],
		[
			'a Custom API Call that is refused',
			() => n8n.service.configure({ apiKey: 'another-key' }),
			httpRequest,
		],
		[
			'a Custom API Call whose connection drops',
			() => n8n.service.injectFault({ disconnect: 'beforeResponse' }),
			httpRequest,
		],
	])('of %s does not contain the key', async (_what, injectFault, part) => {
		injectFault();
		const run = await n8n.runChain(part());
		const continued = await n8n.runChain({ ...part(), onError: 'continueErrorOutput' });

		expect(run.status).toBe('error');
		expect(await n8n.stored(run.id)).not.toContain(n8n.service.apiKey);
		expect(continued.status).toBe('success');
		expect(await n8n.stored(continued.id)).not.toContain(n8n.service.apiKey);
	});

	it('of an agent whose tools succeed and fail does not contain the key', async () => {
		const { execution, answers } = await agent.play(
			call('Get many assets', { Limit: 1 }),
			call('Create speech', { Voice: 'nobody', Script: 'Hello!' }),
		);

		expect(answers).toHaveLength(2);
		expect(await n8n.stored(execution.id)).not.toContain(n8n.service.apiKey);
	});
});

describe("n8n's files", () => {
	it('never contain the key in plain text', () => {
		expect(filesHolding('avatarStudioApi of a test')).not.toEqual([]);
		expect(filesHolding(n8n.service.apiKey)).toEqual([]);
	});
});
