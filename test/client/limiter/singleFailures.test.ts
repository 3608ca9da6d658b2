import type { RequestListener } from 'node:http';

import { useClock } from '../../support/clock';
import { searchList } from '../../support/engine/engine';
import {
	createScriptItems,
	createSpeech,
	createSpeeches,
	createVideo,
	getAsset,
	ITEM_ID,
	ITEM_SCRIPT,
	SOME_ID,
	withTimeout,
} from '../../support/parameters';
import { findUnusedAddress, startRawHost } from '../../support/rawHost';
import { useStudio } from '../../support/studio';

const studio = useStudio();
const clock = useClock();
const wait = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
const JSON_TYPE = { 'content-type': 'application/json' };

test.each([502, 503, 'a reset'])(
	'While creations fail with %s, one at a time finds out whether the service works again',
	async (failure) => {
		let isDown = false;
		let sentWhileDown = 0;
		const host = await startRawHost((request, response) => {
			request.resume();
			request.on('end', () => {
				if (!isDown) {
					return void setTimeout(() => response.writeHead(200, JSON_TYPE).end('{"id":"x"}'), 1000);
				}
				sentWhileDown++;
				if (typeof failure === 'number') response.writeHead(failure).end();
				else response.socket!.destroy();
			});
		});
		const credentials = { ...studio.credentials, baseUrl: host.url };
		clock.run(50);
		const settings = { onError: 'continueRegularOutput' } as const;
		const run = async () =>
			await studio.getOutcome(...createSpeeches(150, { credentials, settings }));
		const running = Promise.all([run(), run()]);
		while (host.requests < 100) await wait(50);
		isDown = true;
		const downAt = Date.now();
		while (Date.now() - downAt < 10_000) await wait(50);
		isDown = false;
		const outcomes = await running;

		const mayExist = outcomes.flatMap(({ json }) => json.filter((item) => item.mayExist === true));
		// What was in flight, 50, cannot be helped.
		expect(sentWhileDown).toBeLessThan(75);
		expect(mayExist.length).toBeLessThan(75);
	},
	60_000,
);

test('A picker does not wait for the slow response of a run in a service that allows one at a time', async () => {
	clock.run(50);
	let inFlight = 0;
	let slowMs = 200;
	const host = await startRawHost((request, response) => {
		request.resume();
		if (inFlight >= 1) return void response.writeHead(429).end();
		inFlight++;
		setTimeout(() => {
			inFlight--;
			response.writeHead(200, JSON_TYPE).end(`{"id":"${SOME_ID}","assets":[{"id":"${SOME_ID}"}]}`);
		}, slowMs);
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	await studio.run(getAsset(SOME_ID), { credentials, items: createScriptItems(10) });
	slowMs = 240_000;
	const { requests } = host;
	const slow = studio.getOutcome(withTimeout(300_000, getAsset(SOME_ID)), { credentials });
	while (host.requests === requests) await new Promise((resolve) => setImmediate(resolve));
	slowMs = 200;
	const startedAt = Date.now();
	await searchList('searchAssets', credentials).catch(() => undefined);
	const seconds = (Date.now() - startedAt) / 1000;
	clock.run(5_000);
	await slow;

	expect(seconds).toBeLessThan(26);
}, 60_000);

test.each([
	['a proxy that is down', { proxy: 'dead' }],
	['a Timeout that is too short', { timeout: 1_000 }],
])(
	'Executions with %s do not fail a workflow beside them that has none',
	async (_what, settings) => {
		clock.run(100);
		const host = await startRawHost((request, response) => {
			request.resume();
			setTimeout(() => response.writeHead(200, JSON_TYPE).end('{"id":"x"}'), 5_000);
		});
		const credentials = { ...studio.credentials, baseUrl: host.url };
		await studio.run(getAsset(SOME_ID), { credentials });
		const requestOptions =
			'proxy' in settings ? { proxy: (await findUnusedAddress()).url } : settings;
		const others = Array.from({ length: 20 }, async () => {
			await studio.getOutcome({ ...getAsset(SOME_ID), requestOptions }, { credentials });
		});
		await wait(5_000);
		const startedAt = Date.now();
		const { error } = await studio.getOutcome(getAsset(SOME_ID), { credentials });
		const seconds = (Date.now() - startedAt) / 1000;
		clock.run(2_000);
		await Promise.all(others);

		expect(error?.message).toBeUndefined();
		expect(seconds).toBeLessThan(60);
	},
	60_000,
);

test.each([0, 15])(
	'A deploy is survived with Wait If Busy %i: nothing is busy',
	async (minutes) => {
		const respond: RequestListener = (request, response) => {
			request.resume();
			setTimeout(() => response.writeHead(200, JSON_TYPE).end('{"id":"x"}'), 500);
		};
		let host = await startRawHost(respond);
		const credentials = { ...studio.credentials, baseUrl: host.url };
		clock.run(50);
		await studio.run(createSpeech(), { credentials });
		await host.close();
		const running = studio.getOutcome(
			createSpeech({ script: ITEM_SCRIPT, options: { waitIfBusyMinutes: minutes } }),
			{ credentials, items: createScriptItems(50), settings: { onError: 'continueRegularOutput' } },
		);
		await wait(10_000);
		host = await startRawHost(respond, Number(new URL(host.url).port));
		const { json } = await running;

		expect(json.filter(({ error }) => error)).toHaveLength(0);
	},
	60_000,
);

test.each([
	['12 executions', 502],
	['a run of 12', 503],
])(
	'One failure while all slots render does not end the wait of the others: %s, %i',
	async (how, status) => {
		clock.run(300);
		let slots: number[] = [];
		let failsAt = Infinity;
		const host = await startRawHost((request, response) => {
			request.resume();
			const now = Date.now();
			slots = slots.filter((until) => until > now);
			if (now >= failsAt) {
				failsAt = Infinity;
				return void response.writeHead(status).end();
			}
			if (slots.length >= 3) return void response.writeHead(429, JSON_TYPE).end('{}');
			slots.push(now + 360_000);
			response.writeHead(200, JSON_TYPE).end('{"id":"x"}');
		});
		const credentials = { ...studio.credentials, baseUrl: host.url };
		failsAt = Date.now() + 150_000;
		const settings = { onError: 'continueRegularOutput' as const };
		const run = async (count: number) =>
			await studio.getOutcome(...createSpeeches(count, { credentials, settings }));
		const counts = how === 'a run of 12' ? [12] : Array<number>(12).fill(1);
		const runs = counts.map(run);
		const json = (await Promise.all(runs)).flatMap((outcome) => outcome.json);

		const notDone = json.filter(({ error, mayExist }) => error && mayExist === false);
		expect(notDone.map(({ error }) => error)).toEqual([]);
	},
	60_000,
);

test.each(['a reset', 503])(
	'One failure of a host that has refused for two minutes costs no paid file (%s)',
	async (failure) => {
		clock.run(200);
		const startedAt = Date.now();
		let hasFailed = false;
		const files = await startRawHost((_request, response) => {
			const seconds = (Date.now() - startedAt) / 1000;
			if (!hasFailed && seconds > 130) {
				hasFailed = true;
				if (typeof failure === 'number') response.writeHead(failure).end();
				else response.socket!.destroy();
			} else if (seconds < 180) response.writeHead(429).end();
			else response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('audio');
		});
		studio.service.injectFault({ body: { id: SOME_ID, url: `${files.url}/a.mp3` } });
		const { json } = await studio.run(
			createSpeech({ script: ITEM_SCRIPT, options: { downloadFile: true } }),
			{ items: createScriptItems(20) },
		);

		expect(json.filter(({ fileError }) => fileError)).toHaveLength(0);
	},
	60_000,
);

/** A service that makes each video in 90 s; the first request with this script fails at once. */
async function startSlowHost(failing: string, status: number | 'reset') {
	const made: string[] = [];
	let hasFailed = false;
	const host = await startRawHost((request, response) => {
		let text = '';
		request.on('data', (chunk) => (text += String(chunk)));
		request.on('end', () => {
			const { script } = JSON.parse(text) as { script: string };
			if (script === failing && !hasFailed) {
				hasFailed = true;
				// After the others have been sent.
				return void setTimeout(() => {
					if (status === 'reset') response.socket!.destroy();
					else response.writeHead(status).end();
				}, 1_000);
			}
			made.push(script);
			setTimeout(() => response.writeHead(200, JSON_TYPE).end(`{"id":"${script}"}`), 90_000);
		});
	});
	return Object.assign(host, { made });
}

test.each([502, 'reset'] as const)(
	'A video that is made in 90 s is told as made although another one failed (%s)',
	async (status) => {
		clock.run(200);
		const host = await startSlowHost('Script 0', status);
		const credentials = { ...studio.credentials, baseUrl: host.url };
		const { json } = await studio.getOutcome(createVideo({ script: ITEM_SCRIPT }), {
			credentials,
			items: createScriptItems(2),
			settings: { onError: 'continueRegularOutput' },
		});

		expect(host.made).toEqual(['Script 1']);
		expect(json[1]).toEqual({ id: 'Script 1' });
	},
	60_000,
);

test('Two executions: a video that is made in 90 s is told as made although the other one failed', async () => {
	clock.run(200);
	const host = await startSlowHost('Script 0', 502);
	const credentials = { ...studio.credentials, baseUrl: host.url };
	const run = async (script: string) =>
		await studio.getOutcome(createVideo({ script }), { credentials });
	const [, made] = await Promise.all([run('Script 0'), run('Script 1')]);
	const { error } = await run('Script 2');

	expect(made.error?.message).toBeUndefined();
	expect(error?.message).toBeUndefined();
}, 60_000);

test('Videos that take 150 s are made beside a workflow whose Timeout of 10 s is too short for them', async () => {
	clock.run(300);
	const host = await startRawHost((request, response) => {
		request.resume();
		const respond = () => response.writeHead(200, JSON_TYPE).end('{"id":"x"}');
		setTimeout(respond, request.method === 'POST' ? 150_000 : 100);
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	await studio.run(getAsset(SOME_ID), { credentials });
	const settings = { onError: 'continueRegularOutput' } as const;
	const run = async (count: number) =>
		await studio.run(...createSpeeches(count, { credentials, settings }));
	const running = run(70);
	const [parameters, options] = createSpeeches(20, { credentials, settings });
	await wait(20_000);
	const other = studio.run(withTimeout(10_000, parameters), options);
	const { json } = await running;
	await other;

	expect(json.filter(({ error }) => error)).toEqual([]);
}, 60_000);

test('What a gateway in front of slow videos gives up on leaves no other one unsent (504)', async () => {
	clock.run(300);
	const host = await startRawHost((request, response) => {
		request.resume();
		const isGivenUp = request.method === 'POST' && [2, 3, 4, 5, 52].includes(host.requests);
		const respond = () => {
			response.writeHead(isGivenUp ? 504 : 200, JSON_TYPE).end('{"id":"x"}');
		};
		setTimeout(respond, request.method === 'POST' ? 100_000 : 100);
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	await studio.run(getAsset(SOME_ID), { credentials });
	const settings = { onError: 'continueRegularOutput' } as const;
	const { json } = await studio.run(...createSpeeches(70, { credentials, settings }));

	expect(json.filter(({ mayExist }) => mayExist === false)).toEqual([]);
}, 60_000);

test.each<[string, number, Record<number, [status: number, ms: number]>]>([
	['two gateway errors', 0, { 2: [502, 20_000], 3: [502, 90_000] }],
	['two gateway errors', 1, { 2: [502, 20_000], 3: [502, 90_000] }],
	['two of them and a rejection', 0, { 2: [502, 20_000], 3: [502, 22_000], 4: [422, 25_000] }],
])(
	'Among slow videos, %s leave no other one unsent with Wait If Busy %i',
	async (_what, waitIfBusyMinutes, failures) => {
		clock.run(300);
		const host = await startRawHost((request, response) => {
			request.resume();
			const usualMs = request.method === 'POST' ? 60_000 + host.requests * 1000 : 100;
			const [status, ms] = failures[host.requests] ?? [200, usualMs];
			setTimeout(() => response.writeHead(status, JSON_TYPE).end('{"id":"x"}'), ms);
		});
		const credentials = { ...studio.credentials, baseUrl: host.url };
		await studio.run(getAsset(SOME_ID), { credentials });
		const parameters = createSpeech({ script: ITEM_SCRIPT, options: { waitIfBusyMinutes } });
		const settings = { onError: 'continueRegularOutput' } as const;
		const items = createScriptItems(70);
		const { json } = await studio.run(parameters, { items, credentials, settings });

		const unsent = json.filter(({ mayExist, httpCode }) => mayExist === false && httpCode !== 422);
		expect(unsent).toEqual([]);
	},
	60_000,
);

test('While a deploy finishes slow videos and refuses others for a minute, few are asked for', async () => {
	clock.run(100);
	let isDown = false;
	let sentWhileDown = 0;
	const host = await startRawHost((request, response) => {
		request.resume();
		if (isDown && request.method === 'POST') {
			sentWhileDown++;
			return void response.writeHead(502).end();
		}
		const ms = request.method === 'POST' ? 42_000 + ((host.requests * 7) % 36) * 1000 : 100;
		setTimeout(() => response.writeHead(200, JSON_TYPE).end('{"id":"x"}'), ms);
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	const settings = { onError: 'continueRegularOutput' } as const;
	const running = studio.run(...createSpeeches(150, { credentials, settings }));
	await wait(65_000);
	isDown = true;
	await wait(60_000);
	isDown = false;
	const { json } = await running;

	expect(sentWhileDown).toBeLessThan(25);
	expect(json.filter(({ mayExist }) => mayExist === false)).toEqual([]);
}, 60_000);

test('A host that hangs is not sent a whole run, although another workflow has a longer Timeout', async () => {
	clock.run(100);
	let hangs = false;
	let hung = 0;
	const host = await startRawHost((request, response) => {
		request.resume();
		if (hangs) return void hung++;
		setTimeout(() => response.writeHead(200, JSON_TYPE).end('{"id":"x"}'), 5_000);
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	const settings = { onError: 'continueRegularOutput' } as const;
	await studio.run(...createSpeeches(5, { credentials, settings }));
	hangs = true;
	const other = studio.run(...createSpeeches(1, { credentials, settings }));
	while (hung === 0) await wait(50);
	const [parameters, options] = createSpeeches(200, { credentials, settings });
	const running = studio.run(withTimeout(30_000, parameters), options);
	await wait(290_000);
	hangs = false;
	await running;
	await other;

	expect(hung).toBeLessThan(80);
}, 60_000);

test.each([
	['a run of 4', 3, 300],
	['a run of 2', 1, 120],
])(
	'Whatever waits for a slot has it, although others were admitted meanwhile: %s, %i slots of %i s',
	async (_how, slots, seconds) => {
		clock.run(100);
		let ends: number[] = [];
		const host = await startRawHost((request, response) => {
			request.resume();
			const now = Date.now();
			ends = ends.filter((end) => end > now);
			// To refuse takes less time than to begin a video.
			if (ends.length >= slots) return void response.writeHead(429, JSON_TYPE).end('{}');
			ends.push(now + seconds * 1000);
			setTimeout(() => response.writeHead(200, JSON_TYPE).end('{"id":"x"}'), 2_000);
		});
		const credentials = { ...studio.credentials, baseUrl: host.url };
		const settings = { onError: 'continueRegularOutput' } as const;
		const { json } = await studio.run(...createSpeeches(slots + 1, { credentials, settings }));

		expect(json.filter(({ error }) => error)).toEqual([]);
	},
	60_000,
);

test('Four reads of a service under maintenance wait as long as it asks, as one does (503, Retry-After)', async () => {
	clock.run(200);
	let worksAt = 0;
	const host = await startRawHost((request, response) => {
		request.resume();
		const seconds = Math.ceil((worksAt - Date.now()) / 1000);
		if (seconds > 0) {
			const refuse = () => response.writeHead(503, { 'retry-after': String(seconds) }).end();
			setTimeout(refuse, 50 * (host.requests % 4));
		} else response.writeHead(200, JSON_TYPE).end(`{"id":"${SOME_ID}"}`);
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	const read = async (count: number) => {
		const items = Array.from({ length: count }, () => ({ json: { id: SOME_ID } }));
		return await studio.getOutcome(getAsset(ITEM_ID), {
			credentials,
			items,
			settings: { onError: 'continueRegularOutput' },
		});
	};
	await read(1);
	worksAt = Date.now() + 120_000;
	const one = await read(1);
	worksAt = Date.now() + 120_000;
	const four = await read(4);

	expect(one.json.map(({ error }) => error)).toEqual([undefined]);
	expect(four.json.map(({ error }) => error)).toEqual(Array(4).fill(undefined));
}, 60_000);

test('A read succeeds although a user opens a broken list every ten seconds', async () => {
	clock.run(100);
	const host = await startRawHost((request, response) => {
		request.resume();
		if (request.url!.includes('/voices')) return void response.writeHead(502).end();
		response.writeHead(200, JSON_TYPE).end(`{"id":"${SOME_ID}"}`);
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	await studio.run(getAsset(SOME_ID), { credentials });
	let isOver = false;
	const user = (async () => {
		while (!isOver) {
			await searchList('searchVoices', credentials).catch(() => undefined);
			await wait(10_000);
		}
	})();
	await wait(120_000);
	const startedAt = Date.now();
	const { error } = await studio.getOutcome(getAsset(SOME_ID), { credentials });
	const seconds = (Date.now() - startedAt) / 1000;
	isOver = true;
	await user;

	expect(error?.message).toBeUndefined();
	expect(seconds).toBeLessThan(60);
}, 60_000);
