import { CongestionController } from '../../../nodes/AvatarStudio/client/limiter/congestionController';
import type { ServiceOptions } from '../../../service/service';
import { useClock } from '../../support/clock';
import { createIdItems, getAsset, ITEM_ID } from '../../support/parameters';
import { useStudio } from '../../support/studio';

type RateLimit = NonNullable<ServiceOptions['rateLimit']>;

const studio = useStudio();
const clock = useClock();
beforeEach(() => clock.run());

/** @returns after how many seconds so many items are done, and the refusals for each */
async function runItems(count: number) {
	const startedAt = Date.now();
	studio.service.requests.length = 0;
	await studio.run(getAsset(ITEM_ID), { items: createIdItems(studio.service.addAssets(count)) });
	const { length } = studio.service.requests;
	return { seconds: (Date.now() - startedAt) / 1000, refusals: length / count - 1 };
}

/** @returns which part of what the service allows is used */
async function measure(rateLimit: RateLimit, latencyMs: number, count: number) {
	studio.service.configure({ rateLimit, latencyMs });
	const perSecond = rateLimit.perSecond ?? (rateLimit.concurrent! * 1000) / latencyMs;
	const { seconds, refusals } = await runItems(count);
	return { share: count / perSecond / seconds, refusals };
}

describe.each([0, 1])('With a Retry-After of %i s, a service that allows', (retryAfter) => {
	it.each<[RateLimit, number, number, leastShares: [number, number]]>([
		[{ concurrent: 5 }, 100, 120, [0.95, 0.65]],
		[{ concurrent: 20 }, 400, 160, [0.83, 0.7]],
		[{ concurrent: 3 }, 5_000, 40, [0.93, 0.93]],
		[{ perSecond: 3 }, 100, 60, [0.78, 0.95]],
		[{ perSecond: 20 }, 400, 160, [0.8, 0.8]],
		[{ perSecond: 2 }, 3_000, 100, [0.85, 0.6]],
	])('%j and responds after %i ms is used well by %i items', async (...row) => {
		const [limit, latencyMs, count, leastShares] = row;
		const { share } = await measure({ ...limit, retryAfter }, latencyMs, count);
		expect(share).toBeGreaterThan(leastShares[retryAfter]!);
	});

	it('20 and later 5 requests at a time refuses few of them', async () => {
		await measure({ concurrent: 20, retryAfter }, 200, 60);
		const { share, refusals } = await measure({ concurrent: 5, retryAfter }, 200, 100);
		expect(share).toBeGreaterThan(0.6);
		expect(refusals).toBeLessThan(0.1);
	});
});

test('A single refusal of a single request limits nothing', async () => {
	studio.service.injectFault({ status: 429, headers: { 'retry-after': '5' }, times: 1 });
	studio.service.configure({ latencyMs: 300 });
	await runItems(1);

	expect((await runItems(200)).seconds).toBeLessThan(2);
});

test('Nothing is known of a limit ten minutes after the last refusal', async () => {
	await measure({ concurrent: 5, retryAfter: 1 }, 300, 60);
	studio.service.configure({ rateLimit: {} });
	await clock.pass(11 * 60_000);

	expect((await runItems(200)).seconds).toBeLessThan(2);
});

test('No order of events and no slip of the clock makes it fail', () => {
	const controller = new CongestionController(() => 0.5);
	const tickets = [100, 99, 250, 120, 40].map((now) => controller.onStart(now));
	for (const [index, now] of [130, 90, 20_000, 10, 9].entries()) {
		controller.onRefused(tickets[index]!, now, index * 1_000);
		controller.onEnd(tickets[index]!, now - 5);

		expect(controller.getDelayMs(now)).toBeGreaterThanOrEqual(0);
	}
});
