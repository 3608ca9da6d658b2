import { useClock } from '../support/clock';
import { testCredential } from '../support/engine/engine';
import { createVideo, getAsset, SOME_ID } from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
useClock({ runs: true });

const OF_NODE = 'Proxy under Request Options, in the Settings tab';
const OF_N8N = 'HTTP_PROXY, HTTPS_PROXY or ALL_PROXY in the environment of n8n';
const MAY_BE = 'it may be from a proxy between n8n and the service';

/** Starts a proxy that answers by itself, and sets it in n8n's environment or returns it. */
async function startProxy(status: number, body: string, isInEnvironment: boolean) {
	const { url } = await startRawHost((_request, response) => {
		const type = body.startsWith('<') ? 'text/html' : 'text/plain';
		response.writeHead(status, { 'content-type': type }).end(body);
	});
	if (isInEnvironment) jest.replaceProperty(process, 'env', { ...process.env, HTTP_PROXY: url });
	return url;
}
afterEach(() => jest.restoreAllMocks());

test.each([
	[407, '', 'requires a user name and a password'],
	[403, 'Denied', `not allowed to do this (403): Denied`],
	[403, '<title>Denied</title>', 'A firewall or a proxy in front of the service blocked'],
	[502, '', 'did not complete the request (502)'],
	[503, '<title>No</title>', 'did not complete the request (503): No'],
])('G10: What a proxy says by itself is told as that: %i %s', async (status, body, words) => {
	const proxy = await startProxy(status, body, false);
	const requestOptions = { proxy };
	const settings = { onError: 'continueRegularOutput' } as const;
	const { json } = await studio.run({ ...getAsset(SOME_ID), requestOptions }, { settings });
	expect(json[0]!.error).toContain(words);
	expect(json[0]!.error).toContain(OF_NODE);
	await startProxy(status, body, true);
	const ofN8n = await studio.getFailure(getAsset(SOME_ID));
	const { message: tested } = await testCredential(studio.credentials);

	for (const text of [ofN8n, tested]) {
		expect(text).toContain(words);
		expect(text).toContain(OF_N8N);
		expect(text).not.toContain('Settings tab');
		expect(text.includes(MAY_BE)).toBe(status !== 407);
	}
	expect(studio.service.requests).toEqual([]);
});

test('A proxy that cannot be reached is told as that, and nothing is sent', async () => {
	const requestOptions = { proxy: 'http://127.0.0.1:9' };
	const text = await studio.getFailure({ ...getAsset(SOME_ID), requestOptions });
	expect(text).toContain('The proxy cannot be reached');
	expect(text).toContain('Check Proxy under Request Options');
	expect(studio.service.requests).toEqual([]);
});

test('A creation to which a proxy may have responded says so, and that it may exist', async () => {
	await startProxy(502, '', true);
	const text = await studio.getFailure(createVideo());
	expect(text).toContain('may exist anyway');
	expect(text).toContain(MAY_BE);
	expect(text).not.toContain('Try again later');
});

test.each([403, 502, 503])('G10: JSON (%i) is from the service, not a proxy', async (status) => {
	studio.service.injectFault({ status, body: { message: 'No' } });
	const text = await studio.getFailure(getAsset(SOME_ID));
	expect(text).toContain(`(${status}): No`);
	expect(text).not.toContain('proxy');
});
