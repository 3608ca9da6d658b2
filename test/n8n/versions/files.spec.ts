import { createHash } from 'node:crypto';

import { createSpeech as speechParameters, downloadAsset } from '../../support/parameters';
import { STUDIO, useN8n, type Part } from '../runningN8n';

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

/** An asset with a valid download link. */
async function anyAsset(): Promise<{ id: string; url: string }> {
	const { id } = n8n.service.assets[0]!;
	const response = await fetch(`${n8n.service.url}/v1/assets/${id}`, {
		headers: { 'x-api-key': n8n.service.apiKey, accept: 'application/json' },
	});
	return (await response.json()) as { id: string; url: string };
}
