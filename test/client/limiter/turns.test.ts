import type { Exchange } from '../../../nodes/AvatarStudio/client/exchange';
import { RateLimiter } from '../../../nodes/AvatarStudio/client/limiter/rateLimiter';
import { RequestGroup } from '../../../nodes/AvatarStudio/client/limiter/requestGroup';
import type { RequestContext } from '../../../nodes/AvatarStudio/client/send';
import { useClock } from '../../support/clock';
import { createIdItems, createSpeech, getAsset, ITEM_ID } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();
useClock({ runs: true });

test('What was refused is sent again in the order of its items', async () => {
	const items = createIdItems(studio.service.addAssets(8));
	studio.service.injectFault({ status: 429, times: 4 });
	await studio.run(getAsset(ITEM_ID), { items });

	const { requests } = studio.service;
	const refused = requests.filter(({ responseStatus }) => responseStatus === 429);
	const again = requests.slice(items.length);
	const order = items.map(({ json }) => `/v1/assets/${json.id}`);
	const isRefused = (path: string) => refused.some((request) => request.path === path);
	expect(again.map(({ path }) => path)).toEqual(order.filter(isRefused));
});

test('The Retry-After of a 503 to a creation holds back the next one, and is no refusal of the first', async () => {
	studio.service.injectFault({ status: 503, headers: { 'retry-after': '20' }, times: 1 });
	const failure = await studio.getFailure(createSpeech());
	expect(failure).toContain('may exist anyway');
	const start = Date.now();
	await studio.run(createSpeech());
	expect((Date.now() - start) / 1000).toBeGreaterThan(18);
	expect(studio.getRoutes()).toHaveLength(2);
});

test('Two pickers take turns, before a run', async () => {
	const limiter = new RateLimiter('api.example.com');
	const started: string[] = [];
	const pending: (() => void)[] = [];
	const attempt = async (name: string, group: RequestGroup) => {
		const request = { method: 'GET', url: '/v1/assets' } as const;
		const context = {} as RequestContext;
		const since = performance.now();
		const queued = { group, context, request, maxWaitMs: 0, signals: [], since, refusals: 0 };
		await limiter.attempt(queued, async () => {
			started.push(name);
			await new Promise<void>((resolve) => pending.push(resolve));
			return { pauseMs: 0, readBody: async () => await Promise.resolve() } satisfies Exchange<void>;
		});
	};
	const run = new RequestGroup();
	const one = new RequestGroup(0, true);
	const other = new RequestGroup(0, true);
	// As many as may be in flight, so that what comes after them waits for its turn.
	const first = Array.from({ length: 50 }, async () => await attempt('first', run));
	const groups = { run, one, other };
	const names = ['run', 'one', 'one', 'other', 'other'] as const;
	const waiting = names.map(async (name) => await attempt(name, groups[name]));
	while (started.length < 50) await new Promise(setImmediate);

	for (const resolve of pending.splice(0)) resolve();
	await Promise.all(first);
	while (started.length < 55) await new Promise(setImmediate);
	for (const resolve of pending) resolve();
	await Promise.all(waiting);
	expect(started.slice(50)).toEqual(['one', 'other', 'one', 'other', 'run']);
});
