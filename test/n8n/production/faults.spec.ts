import { startService, type Service } from '../../../service/service';
import { createSpeech as speechParameters } from '../../support/parameters';
import { collect, connectInOrder, rows, startByHand, type Wire } from '../runningN8n';

import { useStack } from './stack';

const ITEMS = 200;

const { n8n } = useStack('queue mode');

/** Creates a speech for each item and sorts the items by their outcome. */
async function createSpeeches(credentials = n8n.account) {
	const parameters = speechParameters({ script: '={{ "Script " + $json.row }}' });
	const settings = { credentials, onError: 'continueErrorOutput' };
	const list = `Array.from({ length: ${ITEMS} }, (_, row) => ({ row }))`;
	const speech = n8n.studio('Create speech', parameters, settings);
	const parts = [startByHand, ...rows(list), speech, collect('Succeeded')];
	const wires: Wire[] = [...connectInOrder(parts), [speech.name, 'main', 'Failed', 1]];
	const id = await n8n.newWorkflow('Speeches', [...parts, collect('Failed')], wires);
	const { status, items } = await n8n.run(id);
	const { Succeeded: succeeded = [], Failed: failed = [] } = items;
	const uncertain = failed.filter(({ error }) => String(error).includes('may exist')).length;
	return { status, succeeded: succeeded.length, failed: failed.length, uncertain };
}

/** Checks that each item is done or reported, and that nothing is made twice. */
function expectBalance(
	{ status, succeeded, failed, uncertain }: Awaited<ReturnType<typeof createSpeeches>>,
	scripts: (string | undefined)[],
): void {
	expect(status).toBe('success');
	expect(succeeded + failed).toBe(ITEMS);
	expect(new Set(scripts).size).toBe(scripts.length);
	expect(scripts.length).toBeGreaterThanOrEqual(succeeded);
	expect(scripts.length).toBeLessThanOrEqual(succeeded + uncertain);
}

const scriptsOf = ({ speeches }: Service) => speeches.map(({ script }) => script);

describe('Nothing is lost and nothing made twice while the service', () => {
	it('refuses every request for 10 seconds', async () => {
		let until = Infinity;
		n8n.service.injectFault({
			when: ({ startedAt }) => {
				until = Math.min(until, startedAt + 10_000);
				return startedAt < until;
			},
			status: 429,
			headers: { 'retry-after': '2' },
		});
		const outcome = await createSpeeches();
		expect(outcome.succeeded).toBe(ITEMS);
		expectBalance(outcome, scriptsOf(n8n.service));
	});

	it('cuts every tenth connection', async () => {
		let posts = 0;
		n8n.service.injectFault({
			when: ({ method }) => method === 'POST' && ++posts % 10 === 0,
			disconnect: 'beforeResponse',
			afterEffect: true,
		});
		expectBalance(await createSpeeches(), scriptsOf(n8n.service));
	});

	it('restarts', async () => {
		const first = await startService({ asSpecified: true, apiKey: 'key' });
		const port = Number(new URL(first.url).port);
		const account = await n8n.newAccount('avatarStudioApi', { baseUrl: first.url, apiKey: 'key' });
		first.configure({ latencyMs: 50 });
		const run = createSpeeches(account);
		await n8n.waitForRequestOf(run, () => first.speeches.length >= ITEMS / 4, first);
		const before = scriptsOf(first);
		await first.close();
		const second = await startService({ asSpecified: true, apiKey: 'key', port });
		const outcome = await run;
		await second.close();
		expectBalance(outcome, [...before, ...scriptsOf(second)]);
	});
});
