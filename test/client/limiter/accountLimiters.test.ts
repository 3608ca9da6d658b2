import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { useClock } from '../../support/clock';
import { searchList } from '../../support/engine/engine';
import { INTERACTIVE } from '../../support/interactive';
import { createIdItems, createSpeeches, getAsset } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();
const countRequests = (path: RegExp) =>
	studio.service.requests.filter((request) => path.test(request.path)).length;
const speak = async (items: number) => await studio.run(...createSpeeches(items));

test('while 50 requests of an execution are in flight, lists, the credential test and another execution get a response', async () => {
	studio.service.injectFault({ hang: true, when: { path: '/v1/speech' } });
	const run = studio.start(...createSpeeches(60));
	await studio.service.waitForRequest(() => countRequests(/speech/) >= 50);
	for (const [, request] of INTERACTIVE) {
		const before = countRequests(/assets|voices/);
		await request(studio.credentials);

		expect(countRequests(/assets|voices/)).toBeGreaterThan(before);
	}
	await studio.run(getAsset(studio.service.assets[0]!.id));
	expect(countRequests(/speech/)).toBe(50);
	await run.cancel();
});

test('a short execution does not wait for a long one, because they take turns', async () => {
	studio.service.configure({ latencyMs: 20 });
	const ids = createIdItems(studio.service.addAssets(10));
	const long = speak(200);
	await studio.service.waitForRequest();
	await studio.run(getAsset(), { items: ids });
	const speechCount = studio.service.speeches.length;
	await long;
	// The 50 in flight when it started, as many as its own items, and some sent meanwhile.
	expect(speechCount).toBeLessThan(150);
	expect(studio.service.speeches).toHaveLength(200);
});

describe('a delay requested by the service', () => {
	const clock = useClock();

	/** Uses a dropdown, the only caller that does not wait for so long. */
	async function startDelay(): Promise<void> {
		studio.service.injectFault({ times: 1, status: 429, headers: { 'retry-after': '60' } });
		await expect(searchList('searchVoices', studio.credentials)).rejects.toThrow(
			'too many requests',
		);
	}

	it('applies to all that reads, and neither to a creation nor to another account', async () => {
		await startDelay();
		const { id } = studio.service.assets[0]!;
		// Limits apply per host name.
		const baseUrl = studio.service.url.replace('127.0.0.1', 'localhost');
		await studio.run(getAsset(id), { credentials: { ...studio.credentials, baseUrl } });
		const read = studio.run(getAsset(id));
		const spoken = speak(1);
		await clock.pass(55_000);
		await spoken;
		const early = studio.getRoutes().sort();
		clock.run(100);
		await read;

		expect(early).toEqual([`GET /v1/assets/${id}`, 'GET /v1/voices', 'POST /v1/speech']);
		expect(studio.getRoutes()).toHaveLength(4);
	});

	it.each<[string, () => ICredentialDataDecryptedObject]>([
		[
			'address',
			() => ({
				...studio.credentials,
				baseUrl: studio.service.url.replace('127.0.0.1', 'localhost'),
			}),
		],
		['key', () => ({ ...studio.credentials, apiKey: 'another-key' })],
	])('does not apply to an account with another %s', async (_what, createAccount) => {
		await startDelay();
		const credentials = createAccount();
		studio.service.configure({ apiKey: credentials.apiKey as string });
		await studio.run(getAsset(studio.service.assets[0]!.id), { credentials });

		expect(studio.getRoutes()).toHaveLength(2);
	});

	it('of two seconds is not too long for a dropdown', async () => {
		studio.service.injectFault({ times: 1, status: 429, headers: { 'retry-after': '2' } });
		clock.run(100);
		await searchList('searchVoices', studio.credentials);

		expect(studio.getRoutes()).toHaveLength(2);
	});

	it.each(INTERACTIVE)('is too long for %s', async (_what, request) => {
		await startDelay();
		clock.run(100);

		await expect(request(studio.credentials)).rejects.toThrow('too many requests');
		expect(studio.getRoutes()).toHaveLength(1);
	});
});

describe('20 executions at once on a service that takes 5 requests at a time, for 2 seconds each', () => {
	const clock = useClock();

	it('all finish, and no speech is made twice', async () => {
		studio.service.configure({ rateLimit: { concurrent: 5 }, latencyMs: 20 });
		clock.run(100);
		await Promise.all(Array.from({ length: 20 }, async () => await speak(10)));
		const { requests, speeches } = studio.service;

		expect(speeches).toHaveLength(200);
		expect(requests.length).toBeLessThan(400);
	});
});
