import { createHash } from 'node:crypto';

import { isVersion1 } from '../../../n8n/installation';
import { createSpeech as speechParameters, downloadAsset } from '../../support/parameters';
import { startRawHost } from '../../support/rawHost';
import { useStack } from '../production/stack';
import { STUDIO, useN8n, type Part } from '../runningN8n';
import { n8nVersion } from '../servers';

const n8n = useN8n();

/** Reads the file of an item as any node does, and hashes it. */
const hash: Part = {
	name: 'Hash',
	type: 'n8n-nodes-base.crypto',
	parameters: { action: 'hash', binaryData: true, type: 'SHA256', dataPropertyName: 'sha256' },
};

describe('Files', () => {
	it("of a download match the service's, byte for byte", async () => {
		const { id, url } = await anyAsset();
		const { status, items } = await n8n.runChain(
			{
				name: 'Download asset',
				type: STUDIO,
				parameters: downloadAsset(id),
				credentials: n8n.account,
			},
			hash,
		);
		const file = Buffer.from(await (await fetch(url)).arrayBuffer());

		expect(status).toBe('success');
		expect(items.Hash).toEqual([
			expect.objectContaining({ id, sha256: createHash('sha256').update(file).digest('hex') }),
		]);
	});

	it('of a speech returned as audio can be read by the next node', async () => {
		n8n.service.configure({ speechResponse: 'file' });
		const { status, items } = await n8n.runChain(
			{
				name: 'Create speech',
				type: STUDIO,
				parameters: speechParameters({ script: 'Hello!' }),
				credentials: n8n.account,
			},
			hash,
		);

		expect(status).toBe('success');
		expect(items.Hash).toEqual([
			expect.objectContaining({
				mimeType: 'audio/wav',
				sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
			}),
		]);
	});
});

test('A response with many links opens ten connections at a time, and brings a hundred files', async () => {
	let most = 0;
	let open = 0;
	const host = await startRawHost((_request, response) => {
		most = Math.max(most, ++open);
		// By then, all that the node sends at once have arrived.
		setTimeout(() => {
			open--;
			response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('file');
		}, 20);
	});
	const links = Array.from({ length: 150 }, (_, at) => ({ url: `${host.url}/${at}.mp3` }));
	n8n.service.injectFault({ body: links });
	const { status, items } = await n8n.runChain({
		name: 'Create speech',
		type: STUDIO,
		parameters: speechParameters({ options: { downloadFile: true } }),
		credentials: n8n.account,
	});
	await host.close();

	expect(status).toBe('success');
	expect(most).toBe(10);
	expect(host.requests).toBe(100);
	expect(items['Create speech']!.filter(({ fileError }) => fileError)).toHaveLength(50);
});

describe('Asset: Upload', () => {
	// By default n8n 1.x keeps files in memory, and has no link to them.
	const onDisk = isVersion1(n8nVersion())
		? useStack('SQLite', { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' }).n8n
		: useN8n();

	it('hands over a file of n8n, byte for byte', async () => {
		const { id, content, name } = onDisk.service.assets[0]!;
		const credentials = onDisk.account;
		const { status, items } = await onDisk.runChain(
			{ name: 'Download asset', type: STUDIO, parameters: downloadAsset(id), credentials },
			{
				name: 'Upload asset',
				type: STUDIO,
				parameters: { resource: 'asset', operation: 'upload', inputDataFieldName: 'data' },
				credentials,
			},
		);
		const uploaded = onDisk.service.assets.at(-1)!;

		expect(status).toBe('success');
		expect(items['Upload asset']).toMatchObject([{ id: uploaded.id, name }]);
		expect(uploaded.id).not.toBe(id);
		expect(uploaded.content!.equals(content!)).toBe(true);
	});
});

/** An asset with a valid download link. */
async function anyAsset(): Promise<{ id: string; url: string }> {
	const { id } = n8n.service.assets[0]!;
	const response = await fetch(`${n8n.service.url}/v1/assets/${id}`, {
		headers: { 'x-api-key': n8n.service.apiKey, accept: 'application/json' },
	});
	return (await response.json()) as { id: string; url: string };
}
