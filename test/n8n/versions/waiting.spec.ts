import { getAsset } from '../../support/parameters';
import { useStack } from '../production/stack';
import { watchWait } from '../runningN8n';

// One of its own, whose log has nothing else.
const stack = useStack('SQLite');
const { n8n } = stack;

test('The log says once that a request waits for the service, and once that it is over', async () => {
	const { expected } = watchWait(n8n.service);
	const { id } = n8n.service.assets[0]!;
	const { status } = await n8n.runChain(n8n.studio('Read asset', getAsset(id)));
	const log = stack.main.readLog();

	expect(status).toBe('success');
	expect(log.filter((line) => line.includes('admit'))).toEqual(expected('Read asset', 'Chain'));
	expect(log.join()).not.toContain(n8n.service.apiKey);
});
