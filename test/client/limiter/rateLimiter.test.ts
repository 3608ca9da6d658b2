import {
	forgetRateLimits,
	getRateLimiter,
	type LimitedResponse,
	RateLimiter,
} from '../../../nodes/AvatarStudio/client/limiter/rateLimiter';
import { RequestQueue } from '../../../nodes/AvatarStudio/client/limiter/requestQueue';
import { RequestError } from '../../../nodes/AvatarStudio/errors/requestError';
import { useClock } from '../../support/clock';

const HTML = { 'content-type': 'text/html; charset=utf-8' };

/** A service whose responses a test decides about. */
interface FakeService {
	limiter: RateLimiter;
	sent: number;
	inFlight: number;
	respond: () => LimitedResponse;
	latencyMs: number;
	/** Sends a request again for as long as it is refused, as the client does. */
	request: (queue: RequestQueue) => Promise<string>;
	/** What becomes of so many requests: 'done' or the message of the error. */
	requestAll: (queue: RequestQueue, count: number) => Promise<string[]>;
}

const clock = useClock();
let service: FakeService;
beforeEach(() => {
	const limiter = new RateLimiter();
	const request = async (queue: RequestQueue): Promise<string> => {
		for (let isRetry = false; ; isRetry = true) {
			try {
				return await limiter.run(queue, { isRetry }, async (report) => {
					service.sent++;
					service.inFlight++;
					const response = service.respond();
					await new Promise((resolve) => setTimeout(resolve, service.latencyMs));
					service.inFlight--;
					report(response);
					if (response.status < 300) return 'done';
					throw createError(response);
				});
			} catch (error) {
				const isRefused =
					error instanceof RequestError &&
					error.details.isTransient &&
					error.details.outcome !== 'notSent';
				if (!isRefused) throw error;
			}
		}
	};
	service = {
		limiter,
		sent: 0,
		inFlight: 0,
		respond: () => ({ status: 200, headers: {} }),
		latencyMs: 100,
		request,
		requestAll: async (queue, count) =>
			await Promise.all(
				Array.from({ length: count }, async () => {
					return await request(queue).catch((error: unknown) => (error as Error).message);
				}),
			),
	};
});

function createError({ status, headers }: LimitedResponse): RequestError {
	const words = `The service said ${status}, request ${service.sent}`;
	return new RequestError(words, 'Read this.', {
		status,
		isTransient: [429, 503].includes(status),
		retryAfterMs: Number(headers['retry-after']) * 1000 || undefined,
	});
}

const count = (values: string[], pattern: RegExp) =>
	values.filter((value) => pattern.test(value)).length;

describe('A queue that the service refuses', () => {
	beforeEach(() => {
		service.latencyMs = 5;
		clock.run(500);
	});

	it('gives up after five minutes, although another one is admitted all the time', async () => {
		let isQuotaUsed = true;
		const reading = RequestQueue.forNodeRun();
		const keepReading = async () => {
			while (isQuotaUsed) await service.request(reading);
		};
		const queue = RequestQueue.forNodeRun();
		const begun = Date.now();
		const read = keepReading();
		service.respond = () => ({ status: 200, headers: {} });
		const refuse = async () =>
			await Promise.all(
				Array.from({ length: 12 }, async () => {
					for (let isRetry = false; ; isRetry = true) {
						const error = await service.limiter
							.run(queue, { isRetry }, async (report) => {
								report({ status: 429, headers: {} });
								await Promise.resolve();
								throw createError({ status: 429, headers: {} });
							})
							.catch((thrown: RequestError) => thrown);
						if (error.details.outcome === 'notSent') return error.message;
					}
				}),
			);
		const messages = await refuse();
		isQuotaUsed = false;
		await read;

		expect(Date.now() - begun).toBeLessThan(400_000);
		expect(count(messages, /said 429.*refused the requests of this node for 30\d s/)).toBe(12);
	}, 30_000);

	it.each([429, 503])('fails in the words of the service (%i)', async (status) => {
		service.respond = () => ({ status, headers: {} });
		const messages = await service.requestAll(RequestQueue.forPoll(), 100);

		expect(count(messages, new RegExp(`said ${status}`))).toBe(100);
		expect(count(messages, /the request was not sent/)).toBe(100);
	});

	it('does not give up while some of its requests are admitted', async () => {
		let isRefused = false;
		service.respond = () => {
			isRefused = !isRefused;
			return { status: isRefused ? 429 : 200, headers: {} };
		};
		const results = await service.requestAll(RequestQueue.forPoll(), 200);

		expect(count(results, /^done$/)).toBe(200);
	});

	it('is patient again with what comes after a refusal that nothing waited after', async () => {
		const queue = RequestQueue.forNodeRun();
		service.respond = () => ({ status: 503, headers: {} });
		const refused = service.limiter.run(queue, {}, async (report) => {
			report(service.respond());
			return await Promise.reject(createError(service.respond()));
		});
		await expect(refused).rejects.toThrow('503');
		await clock.pass(360_000);
		service.respond = () => ({ status: 200, headers: {} });
		const later = service.requestAll(queue, 1);
		await clock.pass(1_000);

		expect(await later).toEqual(['done']);
	});
});

describe('A pause that is longer than the patience of a queue', () => {
	it('fails at once what waits, what comes later, and another run', async () => {
		service.respond = () => ({ status: 429, headers: { 'retry-after': '86400' } });
		const queue = RequestQueue.forNodeRun();
		const waiting = service.requestAll(queue, 500);
		await clock.pass(200);
		const messages = [
			...(await waiting),
			...(await service.requestAll(queue, 10)),
			...(await service.requestAll(RequestQueue.forNodeRun(), 10)),
		];

		expect(count(messages, /said 429.*asks to wait for 86400 s/)).toBe(520);
		expect(service.sent).toBe(50);
	});

	it('does not fail a queue that is more patient', async () => {
		service.respond = () => ({ status: 429, headers: { 'retry-after': '60' } });
		clock.run(100);
		await service.requestAll(RequestQueue.forPoll(), 1);
		service.respond = () => ({ status: 200, headers: {} });

		expect(await service.requestAll(RequestQueue.forNodeRun(), 10)).toEqual(
			Array<string>(10).fill('done'),
		);
	});
});

describe('Our maximum of 50 in flight', () => {
	it('does not hold a queue that has nothing in flight', async () => {
		service.latencyMs = 30_000;
		const long = service.requestAll(RequestQueue.forNodeRun(), 100);
		await clock.pass(1);
		service.latencyMs = 10;
		const [poll, user] = [RequestQueue.forPoll(), RequestQueue.forUser()];
		const short = service.requestAll(poll, 1);
		const picker = service.requestAll(user, 1);
		await clock.pass(1);
		expect(service.inFlight).toBe(52);
		await clock.pass(20);

		expect([await short, await picker]).toEqual([['done'], ['done']]);
		expect(service.inFlight).toBe(50);
		clock.run(500);
		await long;
	});

	it('is no reason to exceed that of the service', async () => {
		let isFull = true;
		service.respond = () => ({ status: isFull && service.inFlight > 5 ? 429 : 200, headers: {} });
		const first = service.requestAll(RequestQueue.forNodeRun(), 20);
		await clock.pass(2);
		const second = service.requestAll(RequestQueue.forNodeRun(), 20);
		await clock.pass(250);
		const before = service.sent;
		isFull = false;
		clock.run(10);
		await Promise.all([first, second]);

		expect(before).toBeLessThan(75);
	});
});

describe('The key or the credits', () => {
	it.each([401, 402])('are rejected (%i) for no more than what is in flight', async (status) => {
		service.respond = () => ({ status, headers: {} });
		const requests = service.requestAll(RequestQueue.forNodeRun(), 300);
		await clock.pass(150);

		expect(count(await requests, new RegExp(`said ${status}`))).toBe(300);
		expect(service.sent).toBe(50);
	});

	it('are rejected for each request once one was admitted', async () => {
		service.respond = () => ({ status: service.sent === 1 ? 200 : 402, headers: {} });
		const requests = service.requestAll(RequestQueue.forNodeRun(), 60);
		await clock.pass(400);
		await requests;

		expect(service.sent).toBe(60);
	});
});

describe('Requests that wait', () => {
	it('are sent in their order, and those that are cancelled are not', async () => {
		const queue = RequestQueue.forNodeRun();
		const running = service.requestAll(queue, 50);
		const sent: string[] = [];
		const wait = async (name: string, signal?: AbortSignal) =>
			await service.limiter.run(queue, { signal }, async (report) => {
				sent.push(name);
				report({ status: 200, headers: {} });
				await Promise.resolve();
			});
		const controller = new AbortController();
		const first = wait('first');
		const cancelled = wait('cancelled', controller.signal);
		const last = wait('last');
		controller.abort();
		await expect(cancelled).rejects.toThrow('The execution was cancelled');
		await clock.pass(200);
		await Promise.all([running, first, last]);

		expect(sent).toEqual(['first', 'last']);
	});

	it('of a picker are sent first, because a user is waiting', async () => {
		service.respond = () => ({ status: 429, headers: { 'retry-after': '1' } });
		const run = service.requestAll(RequestQueue.forNodeRun(), 1);
		await clock.pass(200);
		service.respond = () => ({ status: 200, headers: {} });
		const sent: string[] = [];
		const wait = async (name: string, queue: RequestQueue) =>
			await service.limiter.run(queue, {}, async (report) => {
				sent.push(name);
				report({ status: 200, headers: {} });
				await Promise.resolve();
			});
		const polled = wait('poll', RequestQueue.forPoll());
		const picked = wait('picker', RequestQueue.forUser());
		await clock.pass(5_000);
		await Promise.all([run, polled, picked]);

		expect(sent).toEqual(['picker', 'poll']);
	});

	it('fail at once if a pause is too long, although another one is in flight', async () => {
		const queue = RequestQueue.forNodeRun();
		service.latencyMs = 60_000;
		const slow = service.requestAll(queue, 1);
		await clock.pass(1);
		service.latencyMs = 10;
		service.respond = () => ({ status: 429, headers: { 'retry-after': '86400' } });
		const refused = service.requestAll(queue, 5);
		await clock.pass(100);

		expect(count(await refused, /asks to wait for 86400 s/)).toBe(5);
		clock.run(500);
		await slow;
	});

	it('are not given up while one that may be admitted is in flight', async () => {
		const queue = RequestQueue.forPoll();
		service.latencyMs = 20_000;
		const slow = service.requestAll(queue, 1);
		await clock.pass(1);
		service.latencyMs = 5;
		service.respond = () => ({ status: 429, headers: {} });
		const refused = service.requestAll(queue, 1);
		await clock.pass(15_000);
		service.respond = () => ({ status: 200, headers: {} });
		await clock.pass(10_000);

		expect([await slow, await refused]).toEqual([['done'], ['done']]);
	});

	it('are given up in time, although others come', async () => {
		const queue = RequestQueue.forPoll();
		service.latencyMs = 5;
		service.respond = () => ({ status: 429, headers: {} });
		let isGivenUp = false;
		const first = service.requestAll(queue, 1).then(() => (isGivenUp = true));
		const later: Promise<string[]>[] = [];
		for (let second = 0; second < 10; second++) {
			await clock.pass(1_000);
			later.push(service.requestAll(queue, 1));
		}

		expect(isGivenUp).toBe(true);
		clock.run(100);
		await Promise.all([first, ...later]);
	});
});

describe('A queue that is stopped', () => {
	it('fails what waits and what comes, and what is in flight goes on', async () => {
		const queue = RequestQueue.forNodeRun();
		const requests = service.requestAll(queue, 80);
		queue.stop(new Error('Item 60 failed'));
		await clock.pass(150);
		const results = [...(await requests), ...(await service.requestAll(queue, 5))];

		expect(count(results, /^done$/)).toBe(50);
		expect(count(results, /^Item 60 failed$/)).toBe(35);
		expect(service.sent).toBe(50);
	});
});

test('Cancelling twenty thousand waiting requests takes about as long as starting them', async () => {
	const controller = new AbortController();
	const queue = RequestQueue.forNodeRun();
	const { signal } = controller;
	const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
	jest.useRealTimers();
	const startedAt = performance.now();
	const requests = Array.from(
		{ length: 20_000 },
		async () => await service.limiter.run(queue, { signal }, async () => await aborted),
	);
	const settled = Promise.allSettled(requests);
	await new Promise((resolve) => setImmediate(resolve));
	const abortedAt = performance.now();
	controller.abort();
	await settled;

	expect(performance.now() - abortedAt).toBeLessThan(4 * (abortedAt - startedAt));
}, 30_000);

describe('A web page that something in front of the service sent', () => {
	it.each([
		[429, 1],
		[403, 1],
		// That may be an outage, after which the number in flight grows again.
		[503, 4_000],
	])('(%i) teaches nothing about its limits', async (status, withinMs) => {
		let isBlocked = true;
		service.respond = () => (isBlocked ? { status, headers: HTML } : { status: 200, headers: {} });
		clock.run(20);
		const blocked = service.requestAll(RequestQueue.forNodeRun(), 50);
		await clock.pass(200);
		isBlocked = false;
		await blocked;
		service.latencyMs = 60_000;
		const next = service.requestAll(RequestQueue.forNodeRun(), 50);
		await clock.pass(withinMs);
		expect(service.inFlight).toBe(50);
		clock.run(500);
		await next;
	});
});

describe('What is known about accounts', () => {
	afterEach(forgetRateLimits);

	it('is kept while it may matter', async () => {
		const limiter = getRateLimiter('used');
		const refused = limiter.run(RequestQueue.forNodeRun(), {}, async (report) => {
			report({ status: 429, headers: {} });
			await Promise.resolve();
		});
		await refused;
		await clock.pass(120_000);
		getRateLimiter('other');

		expect(getRateLimiter('used')).toBe(limiter);
		await clock.pass(600_000);
		expect(getRateLimiter('used')).not.toBe(limiter);
	});

	it('is that of the thousand which were used last', () => {
		const first = getRateLimiter('account 0');
		const second = getRateLimiter('account 1');
		for (let index = 2; index < 1_000; index++) getRateLimiter(`account ${index}`);
		expect(getRateLimiter('account 0')).toBe(first);
		getRateLimiter('account 1000');

		expect(getRateLimiter('account 0')).toBe(first);
		expect(getRateLimiter('account 1')).not.toBe(second);
	});
});
