import { getEventListeners } from 'node:events';

import { delay } from '../../nodes/AvatarStudio/client/delay';
import { RateLimiter } from '../../nodes/AvatarStudio/client/limiter/rateLimiter';
import { RequestQueue } from '../../nodes/AvatarStudio/client/limiter/requestQueue';
import { onAbort } from '../../nodes/AvatarStudio/client/onAbort';
import type { RequestError } from '../../nodes/AvatarStudio/errors/requestError';
import { createStatusError } from '../../nodes/AvatarStudio/errors/statusError';
import { useClock } from '../support/clock';

/** A response as the limiter sees it. */
const respond = async <T>(value?: T, error?: RequestError) =>
	await Promise.resolve({ error, read: async () => await Promise.resolve(value) });

const countListeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('One listener serves all who wait for the same signal, and calls those that still do', () => {
	const { signal, ...controller } = createController();
	const called: number[] = [];
	const [stopFirst] = Array.from({ length: 20 }, (_, index) =>
		onAbort(signal, () => called.push(index)),
	);
	expect(countListeners(signal)).toBe(1);
	stopFirst!();
	controller.abort();

	expect(called).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
});

test('A delay leaves no listener behind', async () => {
	const { signal } = createController();
	await Promise.all([delay(1, signal), delay(2, signal)]);

	expect(countListeners(signal)).toBe(0);
});

describe('A wait that is cancelled ends immediately and leaves no timer that runs for more than a second', () => {
	const clock = useClock();

	async function expectCancellation(waiting: Promise<unknown>, abort: () => void): Promise<void> {
		await clock.pass(1_500);
		abort();

		// The clock is stopped: this would not return if the wait continued.
		await expect(waiting).rejects.toThrow('cancelled');
		expect(clock.countTimers()).toBe(1);
		await clock.pass(1_000);
		expect(clock.countTimers()).toBe(0);
	}

	it('in the rate limiter', async () => {
		const { signal, abort } = createController();
		const limiter = new RateLimiter({ hasResponded: false });
		const caller = RequestQueue.forNodeRun();
		await limiter.run(caller, {}, async () => {
			return await respond(undefined, createStatusError(429, 60_000));
		});
		const waiting = limiter.run(caller, { signal }, async () => await respond());
		await expectCancellation(waiting, abort);
	});

	it('in a back-off', async () => {
		const { signal, abort } = createController();
		await expectCancellation(delay(60_000, signal), abort);
	});
});

test('A request that has waited for its turn leaves no listener behind', async () => {
	const { signal } = createController();
	const limiter = new RateLimiter({ hasResponded: false });
	const caller = RequestQueue.forNodeRun();
	let waiting = 0;
	await Promise.all(
		Array.from({ length: 60 }, async () => {
			await limiter.run(caller, { signal }, async () => {
				waiting = Math.max(waiting, countListeners(signal));
				return await respond();
			});
		}),
	);

	expect(waiting).toBe(1);
	expect(countListeners(signal)).toBe(0);
});

test.each([0, 1, 2])(
	'A request that is cancelled in the moment its turn comes does not stop the next one (%i)',
	async (microtasks) => {
		const { signal, abort } = createController();
		const limiter = new RateLimiter({ hasResponded: false });
		const caller = RequestQueue.forNodeRun();
		const aborted = new Promise<void>((resolve) => onAbort(signal, resolve));
		const occupying = Array.from({ length: 50 }, async (_, index) => {
			await limiter.run(caller, {}, async () => {
				await (index === 0 ? Promise.resolve() : aborted);
				let tick = Promise.resolve();
				for (let count = 0; count < microtasks; count++) tick = tick.then(() => {});
				if (index === 0) void tick.then(abort);
				return await respond();
			});
		});
		const cancelled = limiter.run(caller, { signal }, async () => await respond());
		const next = limiter.run(caller, {}, async () => await respond('sent'));
		await Promise.allSettled([cancelled, ...occupying]);

		expect(await next).toBe('sent');
	},
);

test('A request that is cancelled before it waits for its turn is not sent', async () => {
	const { signal, abort } = createController();
	abort();
	let isSent = false;
	const running = new RateLimiter({ hasResponded: false }).run(
		RequestQueue.forNodeRun(),
		{ signal },
		async () => {
			isSent = true;
			return await respond();
		},
	);

	await expect(running).rejects.toThrow('cancelled');
	expect(isSent).toBe(false);
});

function createController() {
	const controller = new AbortController();
	return { signal: controller.signal, abort: () => controller.abort() };
}
