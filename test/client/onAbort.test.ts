import { getEventListeners } from 'node:events';

import { delay } from '../../nodes/AvatarStudio/client/delay';
import { LimitedRequest, RateLimiter } from '../../nodes/AvatarStudio/client/limiter/rateLimiter';
import { RequestQueue } from '../../nodes/AvatarStudio/client/limiter/requestQueue';
import { onAbort } from '../../nodes/AvatarStudio/client/onAbort';
import { createStatusError } from '../../nodes/AvatarStudio/errors/statusError';
import type { RequestError } from '../../nodes/AvatarStudio/errors/userError';
import { useClock } from '../support/clock';

let controller: AbortController;
let signal: AbortSignal;
let limiter: RateLimiter;
let queue: RequestQueue;
beforeEach(() => {
	controller = new AbortController();
	signal = controller.signal;
	limiter = new RateLimiter();
	queue = RequestQueue.forNodeRun();
});
const countListeners = () => getEventListeners(signal, 'abort').length;
const send = async (sendOnce: () => ReturnType<typeof respond>, signals = [signal]) =>
	await limiter.send(new LimitedRequest(queue, 'GET', 1_000, signals), sendOnce);
/** A response as the limiter sees it. */
const respond = async (error?: RequestError) =>
	await Promise.resolve({ error, read: async () => await Promise.resolve('read') });

test('One listener serves all who wait for the same signal, and calls those that still do', () => {
	const called: number[] = [];
	const [stopFirst] = Array.from({ length: 20 }, (_, index) =>
		onAbort(signal, () => called.push(index)),
	);
	expect(countListeners()).toBe(1);
	stopFirst!();
	controller.abort();

	expect(called).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
});

describe('A wait that is cancelled ends immediately and leaves no timer that runs for more than a second', () => {
	const clock = useClock();

	it.each<[string, () => Promise<unknown>]>([
		['in a back-off', async () => await delay(60_000, signal)],
		[
			'in the rate limiter',
			async () => {
				await send(async () => await respond(createStatusError(429, 60_000)), []);
				await send(async () => await respond());
			},
		],
	])('%s', async (_where, wait) => {
		const waiting = wait();
		await clock.pass(1_500);
		controller.abort();

		// The clock is stopped: this would not return if the wait continued.
		await expect(waiting).rejects.toThrow('cancelled');
		await clock.pass(0);
		expect(clock.countTimers()).toBe(1);
		await clock.pass(1_000);
		expect(clock.countTimers()).toBe(0);
	});
});

test('A delay, and a request that has waited for its turn, leave no listener behind', async () => {
	let waiting = 0;
	const requests = Array.from({ length: 60 }, async () => {
		await send(async () => {
			waiting = Math.max(waiting, countListeners());
			return await respond();
		});
	});
	await Promise.all([delay(1, signal), delay(2, signal), ...requests]);

	expect(waiting).toBe(1);
	expect(countListeners()).toBe(0);
});

test.each([0, 1, 2])(
	'A request that is cancelled in the moment its turn comes does not stop the next one (%i)',
	async (microtasks) => {
		const aborted = new Promise<void>((resolve) => onAbort(signal, resolve));
		const occupying = Array.from({ length: 50 }, async (_, index) => {
			await send(async () => {
				await (index === 0 ? Promise.resolve() : aborted);
				let tick = Promise.resolve();
				for (let count = 0; count < microtasks; count++) tick = tick.then(() => {});
				if (index === 0) void tick.then(() => controller.abort());
				return await respond();
			}, []);
		});
		const cancelled = send(async () => await respond());
		const next = send(async () => await respond(), []);
		await Promise.allSettled([cancelled, ...occupying]);

		expect(await next).toBe('read');
	},
);

test('A request that is cancelled before it waits for its turn is not sent', async () => {
	controller.abort();
	const sendOnce = jest.fn(async () => await respond());

	await expect(
		limiter.send(new LimitedRequest(queue, 'GET', 1_000, [signal]), sendOnce),
	).rejects.toThrow('cancelled');
	expect(sendOnce).not.toHaveBeenCalled();
});
