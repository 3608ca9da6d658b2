import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';
import { listWithEntries } from '../../nodes/AvatarStudio/execution/collection';
import { useClock } from '../support/clock';
import { getError, loadOptions, searchList, testCredential } from '../support/engine/engine';
import { events } from '../support/events';
import { getNestedProperties, operations } from '../support/operations';
import { findUnusedAddress } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
const clock = useClock();

type Credentials = Parameters<typeof testCredential>[0];

const { listSearch, loadOptions: optionLoaders } = new AvatarStudio().methods;
/** What a user in the editor waits for. */
const NAMES = [...Object.keys({ ...listSearch, ...optionLoaders }), 'the credential test'];

test.each([
	['The node', new AvatarStudio(), operations],
	['The trigger', new AvatarStudioTrigger(), events],
])('%s can load each list that its fields have', (_name, { methods }, owners) => {
	const fields = owners.flatMap((it) => [...it.fields, ...it.fields.flatMap(getNestedProperties)]);
	const modes = fields.flatMap((field) => field.modes ?? []);
	const searches = modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []);
	const loaders = fields.flatMap(({ typeOptions }) => typeOptions?.loadOptionsMethod ?? []);
	expect(Object.keys(methods.listSearch).sort()).toEqual([...new Set(searches)].sort());
	expect(Object.keys(methods.loadOptions).sort()).toEqual([...new Set(loaders)].sort());
	const unlisted = fields.filter((it) => it.type === 'options' && !it.options && !it.typeOptions);
	expect(unlisted.map(({ name }) => name)).toEqual([]);
});

test('No two fields load different choices by the same name', () => {
	const declared = listWithEntries([...operations, ...events].flatMap((it) => it.declared));
	const loaders = declared.filter(({ loadChoices }) => loadChoices);
	const names = new Set(loaders.map(({ typeOptions }) => typeOptions!.loadOptionsMethod));
	expect(new Set(loaders.map(({ loadChoices }) => loadChoices)).size).toBe(names.size);
});

/** Throws if the editor shows an error. */
async function request(name: string, credentials: Credentials): Promise<unknown> {
	if (name in listSearch) return await searchList(name, credentials);
	if (name in optionLoaders) return await loadOptions(name, credentials);
	const { status, message } = await testCredential(credentials);
	if (status === 'Error') throw new Error(message);
	return undefined;
}

test.each(NAMES)('The message of %s says what is wrong', async (name) => {
	clock.run();
	const { url } = await findUnusedAddress();
	const unreachable = await getError(request(name, { baseUrl: url, apiKey: 'key' }));
	const rejected = await getError(request(name, { ...studio.credentials, apiKey: 'wrong-key' }));
	expect(unreachable.message).toMatch(
		/^The service did not respond at its address.*Check Base URL/,
	);
	expect(rejected.message).toMatch(/^The service rejected the API key.*Check API Key and Base URL/);
	expect(rejected.message).not.toContain('wrong-key');
});

test.each(NAMES)('For %s, I wait at most 20 seconds', async (name) => {
	studio.service.injectFault({ hang: true, times: 1 });
	const ended = request(name, studio.credentials).catch(() => undefined);
	const first = await studio.service.waitForRequest();
	await clock.pass(19_000);
	await new Promise((resolve) => setImmediate(resolve));
	expect(first.clientAborted).toBeUndefined();
	await clock.pass(2_000);
	clock.run();
	await ended;
	expect(first.clientAborted).toBe(true);
});
