import { RateLimiter } from '../../../nodes/AvatarStudio/client/limiter/rateLimiter';
import {
	forgetRateLimits,
	getRateLimiter,
} from '../../../nodes/AvatarStudio/client/limiter/rateLimiters';
import { RequestQueue } from '../../../nodes/AvatarStudio/client/limiter/requestQueue';
import { createTimeoutError } from '../../../nodes/AvatarStudio/errors/connectionError';
import { createStatusError } from '../../../nodes/AvatarStudio/errors/statusError';
import type { RequestError } from '../../../nodes/AvatarStudio/errors/userError';
import { useClock } from '../../support/clock';

const ORIGIN = 'https://api.example.com';
const MINUTE_MS = 60_000;

/** A response of the service, as a test decides about it. */
interface Response {
	status: number;
	/** In seconds. */
	retryAfter?: number;
	isWebPage?: boolean;
}

interface FakeService {
	limiter: RateLimiter;
	sent: number;
	inFlight: number;
	respond: (name: string) => Response;
	latencyMs: number;
	request: (queue: RequestQueue, name?: string) => Promise<string>;
	/** What becomes of so many requests: 'done' or the message of the error. */
	requestAll: (queue: RequestQueue, count: number) => Promise<string[]>;
}

const clock = useClock();
let service: FakeService;
beforeEach(() => {
	const limiter = new RateLimiter({ hasResponded: false });
	service = {
		limiter,
		sent: 0,
		inFlight: 0,
		respond: () => ({ status: 200 }),
		latencyMs: 100,
		request: async (queue, name = '') =>
			await limiter.run(queue, {}, async () => {
				service.sent++;
				service.inFlight++;
				const response = service.respond(name);
				await new Promise((resolve) => setTimeout(resolve, service.latencyMs));
				service.inFlight--;
				const error = createError(response);
				return {
					error,
					read: async () => await (error ? Promise.reject(error) : Promise.resolve('done')),
				};
			}),
		requestAll: async (queue, count) =>
			await Promise.all(
				Array.from({ length: count }, async (_, index) =>
					service.request(queue, String(index)).catch((error: unknown) => (error as Error).message),
				),
			),
	};
});
afterEach(forgetRateLimits);

function createError({ status, retryAfter = 0, isWebPage }: Response): RequestError | undefined {
	if (status < 300) return undefined;
	const error = createStatusError(status, retryAfter * 1000, isWebPage);
	return error.with({ summary: `The service said ${status}, request ${service.sent}` });
}

const count = (values: string[], pattern: RegExp) =>
	values.filter((value) => pattern.test(value)).length;

describe('While the service refuses every request,', () => {
	beforeEach(() => {
		service.latencyMs = 5;
		clock.run(500);
	});

	it.each([429, 503])('a queue fails in its words (%i)', async (status) => {
		service.respond = () => ({ status });
		const messages = await service.requestAll(RequestQueue.forUser(), 100);

		expect(count(messages, new RegExp(`said ${status}`))).toBe(100);
	});

	it('an execution waits for 15 minutes and asks rarely', async () => {
		service.respond = () => ({ status: 429 });
		const begun = Date.now();
		const messages = await service.requestAll(RequestQueue.forNodeRun(), 20);

		expect(count(messages, /said 429.*admitted no request for 1[56] min/)).toBe(20);
		expect(Date.now() - begun).toBeLessThan(17 * MINUTE_MS);
		expect(service.sent).toBeLessThan(60);
	});
});

describe('A request that is refused for what it is', () => {
	beforeEach(() => {
		service.latencyMs = 5;
		service.respond = (name) => ({ status: name === '7' ? 429 : 200 });
	});

	it('fails alone while others are admitted all the time', async () => {
		clock.run(500);
		let isRefused = false;
		const keepOnReading = async () => {
			while (!isRefused) await service.request(RequestQueue.forNodeRun());
		};
		const read = keepOnReading();
		const messages = await service.requestAll(RequestQueue.forNodeRun(), 20);
		isRefused = true;
		await read;

		expect(count(messages, /^done$/)).toBe(19);
		expect(count(messages, /refused this request \d+ times and admitted others/)).toBe(1);
	});

	it('does not hold the others of its queue', async () => {
		clock.run(500);
		const begun = Date.now();
		const done: number[] = [];
		const run = RequestQueue.forNodeRun();
		const requests = Array.from({ length: 20 }, async (_, index) =>
			service.request(run, String(index)).then(() => done.push(Date.now() - begun)),
		);
		await Promise.allSettled(requests);

		expect(done).toHaveLength(19);
		expect(Math.max(...done)).toBeLessThan(MINUTE_MS);
	});

	it('does not hold them after an outage either', async () => {
		clock.run(500);
		let [isOutage, lastRefused] = [true, ''];
		setTimeout(() => (isOutage = false), MINUTE_MS);
		service.respond = (name) => {
			if (isOutage) lastRefused = name;
			return { status: name === lastRefused ? 429 : 200 };
		};
		const messages = await service.requestAll(RequestQueue.forNodeRun(), 20);

		expect(count(messages, /^done$/)).toBe(19);
	});
});

test('A pause that is longer than a request waits fails whoever was told; the others ask again after a minute', async () => {
	service.respond = () => ({ status: 429, retryAfter: 86_400 });
	const told = service.requestAll(RequestQueue.forNodeRun(), 1);
	await clock.pass(200);
	service.respond = () => ({ status: 200 });
	const later = service.requestAll(RequestQueue.forNodeRun(), 3);
	await clock.pass(55_000);
	expect(service.sent).toBe(1);
	await clock.pass(10_000);

	expect(await told).toEqual([expect.stringMatching(/said 429.*asks to wait for 1440 min/)]);
	expect(await later).toEqual(['done', 'done', 'done']);
});

test('A service that is not there is asked by one request at a time, and the others wait for it', async () => {
	service.latencyMs = 5;
	clock.run(100);
	await service.requestAll(RequestQueue.forNodeRun(), 1);
	const back = Date.now() + 30_000;
	const sent: number[] = [];
	service.respond = () => {
		sent.push(Date.now());
		return { status: Date.now() < back ? 502 : 200 };
	};
	const results = await service.requestAll(RequestQueue.forNodeRun(), 300);

	expect(count(results, /said 502/)).toBeLessThan(120);
	expect(count(results, /done/)).toBeGreaterThan(180);
	expect(sent.filter((at) => at < back).length).toBeLessThan(120);
	expect(sent.filter((at) => at < back && at > back - 28_000).length).toBeLessThan(15);
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
		service.respond = () => ({ status: isFull && service.inFlight > 5 ? 429 : 200 });
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

test('A limit that is raised is found while requests wait for it', async () => {
	service.latencyMs = 200;
	let limit = 5;
	service.respond = () => ({ status: service.inFlight > limit ? 429 : 200 });
	clock.run(500);
	setTimeout(() => (limit = 20), 10_000);
	const begun = Date.now();
	await service.requestAll(RequestQueue.forNodeRun(), 2_000);

	// 10 s at 25 a second, 17.5 s at 100 a second, and the time until that is found.
	expect(Date.now() - begun).toBeLessThan(45_000);
});

test('Requests that were cancelled in flight are no outage', async () => {
	for (let attempt = 0; attempt < 3; attempt++) {
		const controller = new AbortController();
		const { signal } = controller;
		const cancelled = service.limiter.run(RequestQueue.forNodeRun(), { signal }, async () => {
			controller.abort();
			await Promise.resolve();
			throw createTimeoutError();
		});
		await expect(cancelled).rejects.toThrow('did not respond in time');
	}
	const requests = service.requestAll(RequestQueue.forNodeRun(), 20);
	await clock.pass(1);
	expect(service.inFlight).toBe(20);
	clock.run(100);
	await requests;
});

describe('The key', () => {
	it('is rejected for no more than what is in flight', async () => {
		service.respond = (name) => {
			service.latencyMs = 50 + Number(name);
			return { status: 401 };
		};
		const requests = service.requestAll(RequestQueue.forNodeRun(), 300);
		await clock.pass(150);
		const messages = await requests;

		expect(count(messages, /^The service said 401/)).toBe(50);
		expect(count(messages, /^Not sent, because another request failed.*said 401/)).toBe(250);
		expect(service.sent).toBe(50);
	});

	it('is not rejected by one response among others, and neither are credits', async () => {
		service.respond = (name) => {
			service.latencyMs = name === '3' ? 50 : 100;
			return { status: name === '3' ? 401 : name === '4' ? 402 : 200 };
		};
		const requests = service.requestAll(RequestQueue.forNodeRun(), 80);
		await clock.pass(400);

		expect(count(await requests, /^done$/)).toBe(78);
	});

	it('is asked for again by what comes later', async () => {
		service.respond = () => ({ status: 401 });
		const rejected = service.requestAll(RequestQueue.forNodeRun(), 2);
		await clock.pass(200);
		await rejected;
		service.respond = () => ({ status: 200 });
		const later = service.requestAll(RequestQueue.forNodeRun(), 1);
		await clock.pass(200);

		expect(await later).toEqual(['done']);
	});
});

describe('Requests that wait', () => {
	let sent: string[];
	beforeEach(() => (sent = []));
	const wait = async (name: string, queue: RequestQueue, signal?: AbortSignal) =>
		await service.limiter.run(queue, { signal }, async () => {
			sent.push(name);
			return await Promise.resolve({ read: async () => await Promise.resolve() });
		});

	it('are sent in their order, and those that are cancelled are not', async () => {
		const queue = RequestQueue.forNodeRun();
		const running = service.requestAll(queue, 50);
		const controller = new AbortController();
		const first = wait('first', queue);
		const cancelled = wait('cancelled', queue, controller.signal);
		const last = wait('last', queue);
		controller.abort();
		await expect(cancelled).rejects.toThrow('The execution was cancelled');
		await clock.pass(200);
		await Promise.all([running, first, last]);

		expect(sent).toEqual(['first', 'last']);
	});

	it('let one that was refused go first', async () => {
		service.respond = (name) => {
			sent.push(name);
			return { status: name === '5' && sent.length <= 50 ? 429 : 200 };
		};
		clock.run(100);
		await service.requestAll(RequestQueue.forNodeRun(), 300);

		expect(sent.lastIndexOf('5')).toBeLessThan(150);
		expect(sent).toHaveLength(301);
	});

	it('take turns: a short run does not wait for a long one', async () => {
		const sent: string[] = [];
		service.respond = (name) => {
			sent.push(name);
			return { status: 200 };
		};
		const long = service.requestAll(RequestQueue.forNodeRun(), 300);
		const queue = RequestQueue.forNodeRun();
		const short = Array.from({ length: 10 }, () => service.request(queue, 'short'));
		clock.run(100);
		await Promise.all([long, ...short]);

		expect(sent.lastIndexOf('short')).toBeLessThan(100);
	});

	it('of a picker are sent first, because a user is waiting', async () => {
		service.respond = () => ({ status: 429, retryAfter: 1 });
		const run = service.requestAll(RequestQueue.forNodeRun(), 1);
		await clock.pass(200);
		service.respond = () => ({ status: 200 });
		const polled = wait('poll', RequestQueue.forPoll());
		const picked = wait('picker', RequestQueue.forUser());
		await clock.pass(5_000);
		await Promise.all([run, polled, picked]);

		expect(sent).toEqual(['picker', 'poll']);
	});

	it('are not given up while one that may be admitted is in flight', async () => {
		const queue = RequestQueue.forPoll();
		service.latencyMs = 200_000;
		const slow = service.requestAll(queue, 1);
		await clock.pass(1);
		service.latencyMs = 5;
		service.respond = () => ({ status: 429 });
		const refused = service.requestAll(queue, 1);
		await clock.pass(150_000);
		service.respond = () => ({ status: 200 });
		await clock.pass(100_000);

		expect([await slow, await refused]).toEqual([['done'], ['done']]);
	});

	it('are given up in time, although others come', async () => {
		const queue = RequestQueue.forUser();
		service.latencyMs = 5;
		service.respond = () => ({ status: 429 });
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

test('Cancelling twenty thousand waiting requests takes about as long as starting them', async () => {
	const controller = new AbortController();
	const queue = RequestQueue.forNodeRun();
	const { signal } = controller;
	const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
	jest.useRealTimers();
	const startedAt = performance.now();
	const requests = Array.from(
		{ length: 20_000 },
		async () =>
			await service.limiter.run(
				queue,
				{ signal },
				async () => await Promise.resolve({ read: async () => await aborted }),
			),
	);
	const settled = Promise.allSettled(requests);
	await new Promise((resolve) => setImmediate(resolve));
	const abortedAt = performance.now();
	controller.abort();
	await settled;

	expect(performance.now() - abortedAt).toBeLessThan(4 * (abortedAt - startedAt));
}, 30_000);

test('A firewall teaches nothing about limits', async () => {
	let isBlocked = true;
	service.respond = () => (isBlocked ? { status: 403, isWebPage: true } : { status: 200 });
	const blocked = service.requestAll(RequestQueue.forNodeRun(), 50);
	await clock.pass(200);
	isBlocked = false;
	await blocked;
	service.latencyMs = 60_000;
	const next = service.requestAll(RequestQueue.forNodeRun(), 50);
	await clock.pass(1_000);
	expect(service.inFlight).toBe(50);
	clock.run(500);
	await next;
});

test('A firewall does not prove that an address is right', async () => {
	service.respond = () => ({ status: 403, isWebPage: true });
	clock.run(100);
	await service.requestAll(RequestQueue.forNodeRun(), 1);
	service.respond = () => ({ status: 502 });
	const begun = Date.now();
	await service.requestAll(RequestQueue.forNodeRun(), 300);

	expect(Date.now() - begun).toBeLessThan(30_000);
});

test('What is known about accounts is that of the thousand which were used last', () => {
	const first = getRateLimiter('account 0', ORIGIN);
	const second = getRateLimiter('account 1', ORIGIN);
	for (let index = 2; index < 1_000; index++) getRateLimiter(`account ${index}`, ORIGIN);
	expect(getRateLimiter('account 0', ORIGIN)).toBe(first);
	getRateLimiter('account 1000', ORIGIN);

	expect(getRateLimiter('account 0', ORIGIN)).toBe(first);
	expect(getRateLimiter('account 1', ORIGIN)).not.toBe(second);
});
