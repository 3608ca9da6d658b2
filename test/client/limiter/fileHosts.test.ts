import type { ServerResponse } from 'node:http';

import { useClock } from '../../support/clock';
import {
	createIdItems,
	createScriptItems,
	createSpeech,
	downloadAsset,
	ITEM_SCRIPT,
	SOME_ID,
} from '../../support/parameters';
import { findUnusedAddress, startRawHost, type RawHost } from '../../support/rawHost';
import { useStudio } from '../../support/studio';

// What was paid, and its file.

const studio = useStudio();
const clock = useClock();
const MINUTE_MS = 60_000;
const AUDIO = { 'content-type': 'audio/mpeg' };

/** Creates so many speeches with files on a host; returns how many of them lack theirs. */
async function createWithFiles({ url }: Pick<RawHost, 'url'>, count: number, options = {}) {
	studio.service.injectFault({ body: { id: SOME_ID, url: `${url}/a.mp3` } });
	const parameters = createSpeech({
		script: ITEM_SCRIPT,
		options: { downloadFile: true, ...options },
	});
	const { json } = await studio.run(parameters, { items: createScriptItems(count) });
	return json.filter(({ fileError }) => fileError).length;
}

/** Serves so many files at a time, in so many seconds each, and others not at all. */
function createBusyServer(limit: number, seconds: number, status: number) {
	let served = 0;
	return (response: ServerResponse) => {
		if (served === limit) return void response.writeHead(status).end();
		served++;
		response.writeHead(200, AUDIO).write('audio');
		setTimeout(() => {
			served--;
			response.end();
		}, seconds * 1000);
	};
}

test('A lost connection costs one file, though nine beside it take eight minutes each', async () => {
	clock.run(1000);
	const host = await startRawHost((_request, response) => {
		const number = host.requests;
		if (number === 11) return;
		response.writeHead(200, AUDIO);
		if (number === 1 || number > 11) return void response.end('audio');
		let left = 16;
		const send = () => {
			if (left-- === 0) return void response.end();
			response.write('audio');
			setTimeout(send, 30_000);
		};
		send();
	});
	const failed = await createWithFiles(host, 40);

	expect(failed).toBeLessThanOrEqual(1);
}, 60_000);

test('A file host that hangs is given up in time, though a file of another workflow is still arriving', async () => {
	clock.run(500);
	let isGivenUp = false;
	const host = await startRawHost((_request, response) => {
		if (host.requests > 1) return;
		response.writeHead(200, AUDIO);
		const send = () => {
			if (isGivenUp) return void response.end();
			response.write('audio');
			setTimeout(send, 30_000);
		};
		send();
	});
	studio.service.injectFault({
		when: (request) => request.host === 'files',
		status: 302,
		headers: { location: host.url },
	});
	const [first, ...others] = studio.service.addAssets(101);
	const arriving = studio.getOutcome(downloadAsset(), { items: createIdItems([first!]) });
	while (host.requests === 0) await new Promise((resolve) => setImmediate(resolve));
	const startedAt = Date.now();
	await studio.getOutcome(downloadAsset(), {
		items: createIdItems(others),
		settings: { onError: 'continueRegularOutput' },
	});
	const minutes = (Date.now() - startedAt) / MINUTE_MS;
	isGivenUp = true;
	await arriving;

	expect(minutes).toBeLessThan(40);
}, 60_000);

test.each([
	[0, 10],
	[8, 0],
	[10, 0],
])(
	'A file host that is silent for one minute costs no file that it was never asked for (waiting for %i min)',
	async (waitForFileMinutes, lost) => {
		clock.run(500);
		const worksAt = Date.now() + MINUTE_MS;
		const host = await startRawHost((_request, response) => {
			if (Date.now() >= worksAt) response.writeHead(200, AUDIO).end('audio');
		});
		const failed = await createWithFiles(host, 40, { waitForFileMinutes });

		expect(failed).toBeLessThanOrEqual(lost);
	},
	60_000,
);

test('With On Error: Continue, one minute of silence costs no asset that was never asked for', async () => {
	clock.run(500);
	const worksAt = Date.now() + MINUTE_MS;
	const host = await startRawHost((_request, response) => {
		if (Date.now() >= worksAt) response.writeHead(200, AUDIO).end('audio');
	});
	studio.service.injectFault({
		when: (request) => request.host === 'files',
		status: 302,
		headers: { location: host.url },
	});
	const { json } = await studio.run(downloadAsset(), {
		items: createIdItems(studio.service.addAssets(200)),
		settings: { onError: 'continueRegularOutput' },
	});

	expect(json.filter(({ error }) => error).length).toBeLessThanOrEqual(50);
}, 60_000);

test.each([
	[60, false, 40, 1],
	[70, true, 1, 40],
	[120, true, 1, 40],
])(
	'Paid speeches have their files, although their host allows 20 in %i s (says when: %p; %i executions of %i)',
	async (seconds, says, executions, count) => {
		clock.run(200);
		let [windowEnds, used] = [0, 0];
		const host = await startRawHost((_request, response) => {
			const now = Date.now();
			if (now >= windowEnds) [windowEnds, used] = [now + seconds * 1000, 0];
			const retryAfter = String(Math.ceil((windowEnds - now) / 1000));
			if (++used <= 20) response.writeHead(200, AUDIO).end('audio');
			else response.writeHead(429, says ? { 'retry-after': retryAfter } : {}).end();
		});
		const runs = Array.from({ length: executions }, async () => await createWithFiles(host, count));
		const failed = await Promise.all(runs);

		expect(failed.reduce((sum, lost) => sum + lost)).toBe(0);
	},
	60_000,
);

test.each([
	[2, 30, 10],
	[2, 200, 6],
	[1, 20, 6],
])(
	'A host that serves %i files at a time and says 503 to others loses none (%i s each, %i files)',
	async (limit, seconds, count) => {
		clock.run(200);
		const serve = createBusyServer(limit, seconds, 503);
		const host = await startRawHost((_request, response) => serve(response));
		const failed = await createWithFiles(host, count);

		expect(failed).toBe(0);
	},
	60_000,
);

test.each([
	[429, 10, 40],
	[503, 10, 40],
	[503, 90, 20],
])(
	'Files whose links redirect to an address for a minute arrive, though their host serves two at a time (%i, %i s, %i files)',
	async (status, seconds, count) => {
		clock.run(200);
		const serve = createBusyServer(2, seconds, status);
		const host = await startRawHost((request, response) => {
			const [, end] = request.url!.split('?');
			if (end === undefined) {
				const location = `/signed?${Date.now() + MINUTE_MS}`;
				return void response.writeHead(302, { location }).end();
			}
			if (Date.now() > Number(end)) return void response.writeHead(403).end();
			serve(response);
		});
		const failed = await createWithFiles(host, count);

		expect(failed).toBe(0);
	},
	60_000,
);

test.each([
	[1, 503, 10],
	[3, 503, 10],
	[1, 502, 5],
])(
	'The files of %i speeches outlast a deploy of their host (%i for %i s)',
	async (count, status, seconds) => {
		clock.run(100);
		let worksAt = 0;
		const host = await startRawHost((_request, response) => {
			if (Date.now() < worksAt) response.writeHead(status).end();
			else response.writeHead(200, AUDIO).end('audio');
		});
		await createWithFiles(host, 1);
		worksAt = Date.now() + seconds * 1000;
		const failed = await createWithFiles(host, count);

		expect(failed).toBe(0);
	},
);

test('An asset outlasts a deploy of the host of its file (503 for 10 s)', async () => {
	clock.run(100);
	const { id } = studio.service.assets[0]!;
	await studio.run(downloadAsset(id));
	const worksAt = Date.now() + 10_000;
	studio.service.injectFault({
		when: ({ host }) => host === 'files' && Date.now() < worksAt,
		status: 503,
	});
	const { error } = await studio.getOutcome(downloadAsset(id));

	expect(error?.message).toBeUndefined();
});

test.each([1, 30])(
	'A file host that falls silent within its files is given up as one that is silent at once (%i files)',
	async (count) => {
		clock.run(200);
		const host = await startRawHost((_request, response) => {
			response.writeHead(200, AUDIO).write('audio');
		});
		const startedAt = Date.now();
		await createWithFiles(host, count);

		expect((Date.now() - startedAt) / MINUTE_MS).toBeLessThan(count === 1 ? 6 : 20);
	},
	60_000,
);

/** A host whose links lead to another one, such as a storage. */
const startLinks = async (target: RawHost) =>
	await startRawHost((_request, response) => {
		response.writeHead(302, { location: `${target.url}/a.mp3` }).end();
	});

test.each([
	[1, 503, 10],
	[3, 503, 10],
	[3, 502, 20],
])(
	'The files of %i speeches outlast a deploy of the host that their links redirect to (%i for %i s)',
	async (count, status, seconds) => {
		clock.run(100);
		let worksAt = 0;
		const host = await startRawHost((_request, response) => {
			if (Date.now() < worksAt) response.writeHead(status).end();
			else response.writeHead(200, AUDIO).end('audio');
		});
		const links = await startLinks(host);
		expect(await createWithFiles(links, 1)).toBe(0);
		worksAt = Date.now() + seconds * 1000;
		const failed = await createWithFiles(links, count);

		expect(failed).toBe(0);
	},
	60_000,
);

test.each([503, 502, 0])(
	'The first file after a restart of n8n outlasts a deploy of its host of 10 s (%i)',
	async (status) => {
		clock.run(100);
		const { url, port } = await findUnusedAddress();
		const worksAt = Date.now() + 10_000;
		const start = async () =>
			await startRawHost((_request, response) => {
				if (Date.now() < worksAt) response.writeHead(status).end();
				else response.writeHead(200, AUDIO).end('audio');
			}, port);
		const wait = new Promise((resolve) => setTimeout(resolve, status === 0 ? 10_000 : 0));
		const host = wait.then(start);
		if (status !== 0) await host;
		const failed = await createWithFiles({ url }, 1);
		await (await host).close();

		expect(failed).toBe(0);
	},
	60_000,
);

test.each([
	[40, 0],
	[40, 10],
	[200, 0],
])(
	'A file host that says 429 for good holds %i speeches for little more than 15 minutes (waiting for %i min)',
	async (count, waitForFileMinutes) => {
		clock.run(500);
		const host = await startRawHost((_request, response) => response.writeHead(429).end());
		const startedAt = Date.now();
		await createWithFiles(host, count, { waitForFileMinutes });

		expect((Date.now() - startedAt) / MINUTE_MS).toBeLessThan(20);
	},
	60_000,
);

test('A host that redirects to itself and hangs for good is given up after four attempts', async () => {
	clock.run(1000);
	const host = await startRawHost((request, response) => {
		const redirect = () => response.writeHead(302, { location: '/files/a.mp3' }).end();
		// Two never come at the same time.
		if (request.url === '/a.mp3') setTimeout(redirect, 10_000 + (host.requests % 10) * 1000);
	});
	const startedAt = Date.now();
	await createWithFiles(host, 30);

	// A response that comes late begins no new wait: each attempt counts from when it was sent.
	expect((Date.now() - startedAt) / MINUTE_MS).toBeLessThan(32);
}, 100_000);
