import { startService, type Service } from '../../../service/service';
import { createSpeech as speechParameters } from '../../support/parameters';
import { collect, rows, startByHand, STUDIO, type Part, type Wire } from '../runningN8n';

import { recordFigure, scale } from './figures';
import { useStack } from './stack';

const ITEMS = 200;

const stack = useStack('queue mode');
const { n8n } = stack;

/** Creates a speech for each item and sorts the items by their outcome. */
async function createSpeeches(credentials = n8n.account) {
	const speech: Part = {
		name: 'Create speech',
		type: STUDIO,
		parameters: speechParameters({ script: '={{ "Script " + $json.row }}' }),
		credentials,
		onError: 'continueErrorOutput',
	};
	const list = `Array.from({ length: ${ITEMS} }, (_, row) => ({ row }))`;
	const parts = [startByHand, ...rows(list), speech, collect('Succeeded'), collect('Failed')];
	const wires: Wire[] = [
		[startByHand.name, 'main', 'List'],
		['List', 'main', 'Rows'],
		['Rows', 'main', speech.name],
		[speech.name, 'main', 'Succeeded', 0],
		[speech.name, 'main', 'Failed', 1],
	];
	const { status, items } = await n8n.run(await n8n.newWorkflow('Speeches', parts, wires));
	const failed = items.Failed ?? [];
	return {
		status,
		succeeded: (items.Succeeded ?? []).length,
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

/** What the service holds in the end. */
function created(service = n8n.service) {
	const scripts = service.speeches.map(({ script }) => script);
	return { created: scripts.length, distinct: new Set(scripts).size };
}

describe('Faults of the service', () => {
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
	])('that %s are reported or waited out, item by item', async (what, spoil) => {
		spoil(n8n.service);
		const { status, succeeded, failed, uncertain } = await createSpeeches();
		const speeches = created();

		expect(status).toBe('success');
		expect(succeeded + failed).toBe(ITEMS);
		expect(speeches.distinct).toBe(speeches.created);
		expect(speeches.created).toBeGreaterThanOrEqual(succeeded);
		expect(speeches.created).toBeLessThanOrEqual(succeeded + uncertain);
		recordFigure(
			`${ITEMS} creations while the service ${what}`,
			`${succeeded} done + ${failed} reported = ${ITEMS}; ${speeches.created} created, none twice`,
		);
	});

	it('that cut every tenth connection after the effect leave books that balance', async () => {
		let posts = 0;
		n8n.service.injectFault({
			when: ({ method }) => method === 'POST' && ++posts % 10 === 0,
			disconnect: 'beforeResponse',
			afterEffect: true,
		});
		const { succeeded, failed, uncertain } = await createSpeeches();

		expect(succeeded + failed).toBe(ITEMS);
		expect(failed).toBe(uncertain);
		expect(created()).toEqual({ created: succeeded + uncertain, distinct: ITEMS });
		recordFigure(
			`${ITEMS} creations with every tenth connection cut`,
			`${succeeded} done + ${uncertain} reported as "may exist" = ${created().created} created, none twice`,
		);
	});

	it('that goes away and comes back are waited out or reported, and nothing is made twice', async () => {
		const first = await startService({ apiKey: 'key' });
		const port = Number(new URL(first.url).port);
		const account = await n8n.newAccount('avatarStudioApi', { baseUrl: first.url, apiKey: 'key' });
		first.configure({ latencyMs: 50 });
		const run = createSpeeches(account);
		await first.waitForRequest(() => first.speeches.length >= ITEMS / 4);
		const before = created(first);
		await first.close();
		const second = await startService({ apiKey: 'key', port });
		const { succeeded, failed, uncertain } = await run;
		const after = created(second);
		await second.close();
		const total = before.created + after.created;

		expect(succeeded + failed).toBe(ITEMS);
		expect(before.distinct + after.distinct).toBe(total);
		expect(total).toBeGreaterThanOrEqual(succeeded);
		expect(total).toBeLessThanOrEqual(succeeded + uncertain);
		recordFigure(
			`${ITEMS} creations while the service restarts`,
			`${succeeded} done + ${failed} reported (${uncertain} may exist) = ${ITEMS}; ${total} created, none twice`,
		);
	});
});
