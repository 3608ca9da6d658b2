import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import { useClock } from '../support/clock';
import { getError, loadOptions, searchList, testCredential } from '../support/engine/engine';
import { findUnusedAddress } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
const clock = useClock();

type Credentials = Parameters<typeof testCredential>[0];

const { listSearch, loadOptions: optionLoaders } = new AvatarStudio().methods;

async function testInEditor(credentials: Credentials): Promise<void> {
	const { status, message } = await testCredential(credentials);
	if (status === 'Error') throw new Error(message);
}

/** What a user in the editor waits for: each throws if it shows an error. */
const REQUESTS: [name: string, request: (credentials: Credentials) => Promise<unknown>][] = [
	...Object.keys(listSearch).map((name): (typeof REQUESTS)[number] => [
		name,
		async (credentials) => await searchList(name, credentials),
	]),
	...Object.keys(optionLoaders).map((name): (typeof REQUESTS)[number] => [
		name,
		async (credentials) => await loadOptions(name, credentials),
	]),
	['the credential test', testInEditor],
];

test.each(REQUESTS)('The message of %s says what is wrong', async (_what, request) => {
	clock.run();
	const { url } = await findUnusedAddress();
	const unreachable = await getError(request({ baseUrl: url, apiKey: 'key' }));
	expect(unreachable.message).toMatch(
		/^The service did not respond at its address.*Check Base URL/,
	);
	const rejected = await getError(request({ ...studio.credentials, apiKey: 'wrong-key' }));
	expect(rejected.message).toMatch(/^The service rejected the API key.*Check API Key and Base URL/);
	expect(rejected.message).not.toContain('wrong-key');
});

test.each(REQUESTS)('For %s, I wait at most 20 seconds', async (_what, request) => {
	studio.service.injectFault({ hang: true, times: 1 });
	const ended = request(studio.credentials).catch(() => undefined);
	const first = await studio.service.waitForRequest();
	await clock.pass(19_000);
	await new Promise((resolve) => setImmediate(resolve));
	expect(first.clientAborted).toBeUndefined();
	await clock.pass(2_000);
	clock.run();
	await ended;
	expect(first.clientAborted).toBe(true);
});
