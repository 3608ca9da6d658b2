import { useClock } from '../../support/clock';
import {
	createScriptItems,
	createSpeech,
	ITEM_SCRIPT,
	SOME_ID,
	withTimeout,
} from '../../support/parameters';
import { findUnusedAddress, startRawHost, type RawHost } from '../../support/rawHost';
import { useStudio } from '../../support/studio';

// What was paid, and its file.

const studio = useStudio();
const MINUTE_MS = 60_000;
const AUDIO = { 'content-type': 'audio/mpeg' };

/** Creates so many speeches with a link to a file; returns how many of them lack it. */
async function createWithFiles(url: string, count: number, options = {}, timeout = 300_000) {
	studio.service.injectFault({ body: { id: SOME_ID, url } });
	const parameters = createSpeech({
		script: ITEM_SCRIPT,
		options: { downloadFile: true, ...options },
	});
	const items = createScriptItems(count);
	const { json } = await studio.run(withTimeout(timeout, parameters), { items });
	return json.filter(({ fileError }) => fileError).length;
}

describe('On a clock', () => {
	const clock = useClock();

	/** A host whose links lead to another one, such as a storage. */
	const startLinks = async (target: RawHost) =>
		await startRawHost((_request, response) => {
			response.writeHead(302, { location: `${target.url}/a.mp3` }).end();
		});

	it.each([
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
			expect(await createWithFiles(`${links.url}/a.mp3`, 1)).toBe(0);
			worksAt = Date.now() + seconds * 1000;
			const failed = await createWithFiles(`${links.url}/a.mp3`, count);
			await links.close();
			await host.close();

			expect(failed).toBe(0);
		},
		60_000,
	);

	it.each([503, 502, 0])(
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
			const failed = await createWithFiles(`${url}/a.mp3`, 1);
			await (await host).close();

			expect(failed).toBe(0);
		},
		60_000,
	);

	it.each([
		[40, 0],
		[40, 10],
		[200, 0],
	])(
		'A file host that says 429 for good holds %i speeches for little more than 15 minutes (waiting for %i min)',
		async (count, waitForFileMinutes) => {
			clock.run(500);
			const host = await startRawHost((_request, response) => response.writeHead(429).end());
			const startedAt = Date.now();
			await createWithFiles(`${host.url}/a.mp3`, count, { waitForFileMinutes });
			await host.close();

			expect((Date.now() - startedAt) / MINUTE_MS).toBeLessThan(20);
		},
		60_000,
	);

	it.each([[30, 24]])(
		'A host that redirects to itself and hangs for good is given up (%i files, in %i min)',
		async (count, minutes) => {
			clock.run(1000);
			const host = await startRawHost((request, response) => {
				const redirect = () => response.writeHead(302, { location: '/files/a.mp3' }).end();
				// Two never come at the same time.
				if (request.url === '/a.mp3') setTimeout(redirect, 10_000 + (host.requests % 10) * 1000);
			});
			const startedAt = Date.now();
			await createWithFiles(`${host.url}/a.mp3`, count);
			await host.close();

			expect((Date.now() - startedAt) / MINUTE_MS).toBeLessThan(minutes);
		},
		100_000,
	);
});
