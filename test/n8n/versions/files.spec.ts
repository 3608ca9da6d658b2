import { isVersion1 } from '../../../n8n/installation';
import { useStack } from '../production/stack';
import { useN8n } from '../runningN8n';
import { n8nVersion } from '../servers';

// By default n8n 1.x keeps files in memory, and has no link to them.
const n8n = isVersion1(n8nVersion())
	? useStack('SQLite', { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' }).n8n
	: useN8n();

test('The service gets the file of a download by a link to n8n, byte for byte', async () => {
	const { original, copy } = await n8n.copyAsset();
	expect(copy.name).toBe(original.name);
	expect(copy.content!.equals(original.content!)).toBe(true);
});
