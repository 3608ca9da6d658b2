import { createVideo } from '../../support/parameters';

import { useStack } from './stack';

// Settings with which an administrator limits what workflows may do.

const { n8n } = useStack('SQLite', {
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
	EXECUTIONS_TIMEOUT: '5',
});

/** Creates a video in the stand-in, which is reached under this name. */
async function createVideoAt(host: string) {
	const { apiKey, url } = n8n.service;
	const data = { baseUrl: url.replace('127.0.0.1', host), apiKey };
	const credentials = await n8n.newAccount('avatarStudioApi', data);
	const settings = { credentials, onError: 'continueRegularOutput' };
	return await n8n.runChain(n8n.studio('Create video', createVideo(), settings));
}

test("G10: a host that n8n's protection blocks is reported as that, and nothing is sent", async () => {
	const { status, items } = await createVideoAt('127.0.0.1');
	expect(status).toBe('success');
	expect(items['Create video']).toMatchObject([
		{ errorDetails: { code: 'blockedByN8n', mayExist: false } },
	]);
	expect(String(items['Create video']![0]!.error)).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
	expect(n8n.service.requests).toEqual([]);
});

test('G1: a video in flight when an execution takes too long may exist, and n8n is the cause', async () => {
	n8n.service.injectFault({ hang: true });
	const { status, items } = await createVideoAt('localhost');
	expect(status).toBe('canceled');
	expect(items['Create video']).toMatchObject([
		{ errorDetails: { code: 'cancelled', mayExist: true } },
	]);
	expect(n8n.service.requests).toHaveLength(1);
});
