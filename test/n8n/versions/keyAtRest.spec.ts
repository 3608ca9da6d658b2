import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

import type { Fault } from '../../../service/faults';
import { createSpeech, downloadAsset, getAssets } from '../../support/parameters';
import { useN8n, type Part } from '../runningN8n';
import { getServer } from '../servers';

const n8n = useN8n();

const speech = () => n8n.studio('Create speech', createSpeech());
const httpRequest = () =>
	n8n.httpRequest(`${n8n.service.url}/v1/voices`, {
		options: { response: { response: { fullResponse: true } } },
	});

/** The files of n8n that contain a text: its database, its log, the files of executions. */
function filesHolding(text: string): string[] {
	const { userFolder } = getServer();
	return readdirSync(userFolder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.parentPath.includes(`${sep}node_modules`))
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((file) => readFileSync(file).includes(text));
}

describe('The data that n8n stores does not contain the key', () => {
	it('of a list, a download, a creation and a Custom API Call', async () => {
		const { id, status } = await n8n.runChain(
			n8n.studio('Get many assets', getAssets({ limit: 1 })),
			n8n.studio('Download asset', downloadAsset()),
			speech(),
			httpRequest(),
		);
		expect(status).toBe('success');
		const stored = await n8n.stored(id);
		expect(stored).toContain('executionTime');
		expect(stored).not.toContain(n8n.service.apiKey);
	});

	it.each<[string, (key: string) => Fault, () => Part]>([
		['a response that repeats the key', (key) => ({ status: 401, body: { key } }), speech],
		['a dropped connection', () => ({ disconnect: 'beforeResponse' }), speech],
		['a Custom API Call that is refused', () => ({ status: 401 }), httpRequest],
	])('of %s', async (_what, createFault, part) => {
		n8n.service.injectFault(createFault(n8n.service.apiKey));
		const stopped = await n8n.runChain(part());
		const continued = await n8n.runChain({ ...part(), onError: 'continueErrorOutput' });
		expect([stopped.status, continued.status]).toEqual(['error', 'success']);
		for (const { id } of [stopped, continued]) {
			expect(await n8n.stored(id)).not.toContain(n8n.service.apiKey);
		}
	});
});

test("n8n's files never contain the key in plain text", () => {
	expect(filesHolding('avatarStudioApi of a test')).not.toEqual([]);
	expect(filesHolding(n8n.service.apiKey)).toEqual([]);
});
