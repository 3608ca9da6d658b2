import { startService, type Service } from '../../../service/service';
import { createSpeech as speechParameters } from '../../support/parameters';
import { collect, connectInOrder, rows, startByHand, type Wire } from '../runningN8n';

import { recordFigure, scale } from './figures';
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
	return {
		status,
		succeeded: succeeded.length,
		failed: failed.length,
		uncertain: failed.filter(({ error }) => String(error).includes('may exist')).length,
	};
}

/** Answers 429 with Retry-After until so much time has passed since the first request. */
function refuseFor(service: Service, ms: number): void {
	let until = Infinity;
	service.injectFault({
		when: ({ startedAt }) => {
			until = Math.min(until, startedAt + ms);
			return startedAt < until;
		},
		status: 429,
		headers: { 'retry-after': '2' },
	});
}

/** Cuts every tenth connection after the service has created something. */
function cutConnections(service: Service): void {
	let posts = 0;
	service.injectFault({
		when: ({ method }) => method === 'POST' && ++posts % 10 === 0,
		disconnect: 'beforeResponse',
		afterEffect: true,
	});
}

/** Checks that each item is done or reported, and that nothing is made twice. */
function expectBalance(
	what: string,
	outcome: Awaited<ReturnType<typeof createSpeeches>>,
	scripts: (string | undefined)[],
): void {
	const { status, succeeded, failed, uncertain } = outcome;
	expect(status).toBe('success');
	expect(succeeded + failed).toBe(ITEMS);
	expect(new Set(scripts).size).toBe(scripts.length);
	expect(scripts.length).toBeGreaterThanOrEqual(succeeded);
	expect(scripts.length).toBeLessThanOrEqual(succeeded + uncertain);
	recordFigure(
		`${ITEMS} creations while the service ${what}`,
		`${succeeded} done + ${failed} reported (${uncertain} may exist) = ${ITEMS}; ${scripts.length} created, none twice`,
	);
}

describe('Nothing is lost and nothing made twice while the service', () => {
	const scriptsOf = ({ speeches }: Service) => speeches.map(({ script }) => script);

	it.each<[string, (service: Service) => void]>([
		['answers slowly', (service) => service.configure({ latencyMs: 300 })],
		[
			'is unavailable for a while',
			(service) => service.injectFault({ status: 503, times: scale(100) }),
		],
		['refuses every request for 10 seconds', (service) => refuseFor(service, 10_000)],
		[
			'allows 20 requests per second',
			(service) => service.configure({ rateLimit: { perSecond: 20, retryAfter: 1 } }),
		],
		['cuts every tenth connection', cutConnections],
	])('%s', async (what, spoil) => {
		spoil(n8n.service);
		const outcome = await createSpeeches();
		expectBalance(what, outcome, scriptsOf(n8n.service));
	});

	it('restarts', async () => {
		const first = await startService({ apiKey: 'key' });
		const port = Number(new URL(first.url).port);
		const account = await n8n.newAccount('avatarStudioApi', { baseUrl: first.url, apiKey: 'key' });
		first.configure({ latencyMs: 50 });
		const run = createSpeeches(account);
		await n8n.waitForRequestOf(run, () => first.speeches.length >= ITEMS / 4, first);
		const before = scriptsOf(first);
		await first.close();
		const second = await startService({ apiKey: 'key', port });
		const outcome = await run;
		await second.close();
		expectBalance('restarts', outcome, [...before, ...scriptsOf(second)]);
	});
});
