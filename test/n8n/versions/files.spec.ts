import { createHash } from 'node:crypto';

import { isVersion1 } from '../../../n8n/installation';
import { createSpeech, downloadAsset, uploadAsset } from '../../support/parameters';
import { startRawHost } from '../../support/rawHost';
import { useStack } from '../production/stack';
import { useN8n, type Part } from '../runningN8n';
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
		const { id, content } = n8n.service.assets[0]!;
		const { status, items } = await n8n.runChain(
			n8n.studio('Download asset', downloadAsset(id)),
			hash,
		);

		expect(status).toBe('success');
		expect(items.Hash).toEqual([
			expect.objectContaining({ id, sha256: createHash('sha256').update(content!).digest('hex') }),
		]);
	});

	it('of a speech returned as audio can be read by the next node', async () => {
		n8n.service.configure({ speechResponse: 'file' });
		const { status, items } = await n8n.runChain(n8n.studio('Create speech', createSpeech()), hash);

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
	const parameters = createSpeech({ options: { downloadFile: true } });
	const { status, items } = await n8n.runChain(n8n.studio('Create speech', parameters));
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
		const { status, items } = await onDisk.runChain(
			onDisk.studio('Download asset', downloadAsset(id)),
			onDisk.studio('Upload asset', uploadAsset()),
		);
		const uploaded = onDisk.service.assets.at(-1)!;

		expect(status).toBe('success');
		expect(items['Upload asset']).toMatchObject([{ id: uploaded.id, name }]);
		expect(uploaded.id).not.toBe(id);
		expect(uploaded.content!.equals(content!)).toBe(true);
	});
});
