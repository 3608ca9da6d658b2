import type { INodeParameters } from 'n8n-workflow';

import { searchList } from '../../support/engine/engine';
import { createLocator, createVideo, getAvatars, SOME_ID, pick } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const VOICE = pick('en-GB-RyanNeural');
type Mode = 'list' | 'id' | 'name' | 'photo';

describe('On the service as its clients know it,', () => {
	const studio = useStudio({ asSpecified: false });
	const create = (avatarId: INodeParameters['avatarId']) =>
		createVideo({ voiceId: VOICE, avatarId });
	const lastBody = () => studio.apiRequests.at(-1)!.body as Record<string, unknown>;

	it('I get all avatars, each with its picture', async () => {
		const { json } = await studio.run(getAvatars({ returnAll: true }));
		expect(json).toHaveLength(studio.service.avatars.length);
		expect(new Set(json.map(({ id }) => id)).size).toBe(json.length);
		expect(json[0]!.menuImageUrl).toMatch(/^http/);
	});

	it('I pick a face from a list, which links to its picture', async () => {
		const { results } = await searchList('searchAvatars', studio.credentials);
		const [avatar] = studio.service.avatars;
		expect(results).toHaveLength(studio.service.avatars.length);
		expect(results[0]).toMatchObject({ name: avatar!.name, value: avatar!.id });
	});

	it.each<[string, Mode]>([
		['its ID', 'list'],
		['its ID', 'id'],
		['its name', 'name'],
		['its name', 'id'],
	])('an avatar is chosen by %s in the mode %s', async (what, mode) => {
		const avatar = studio.service.avatars[3]!;
		const text = what === 'its ID' ? avatar.id : avatar.name.toUpperCase();
		await studio.run(create(createLocator(text, mode)));
		expect(lastBody()).toMatchObject({ avatarId: avatar.id });
	});

	it.each<Mode>(['photo', 'id'])(
		'a photo speaks instead of an avatar in the mode %s',
		async (mode) => {
			await studio.run(create(createLocator(' https://example.com/my photo.jpg ', mode)));
			expect(lastBody()).toMatchObject({
				avatarUrl: expect.stringMatching(/my%20photo\.jpg$/) as string,
			});
			expect(lastBody()).not.toHaveProperty('avatarId');
		},
	);

	it.each<[string, Mode, string]>([
		['Nobody at all', 'name', 'Avatar "Nobody at all" matches no avatar'],
		['portrait.jpg', 'photo', 'Avatar must be the URL of a photo'],
	])('%j in the mode %s is refused before anything is created', async (text, mode, words) => {
		expect(await studio.getFailure(create(createLocator(text, mode)))).toContain(words);
		expect(studio.service.videos).toHaveLength(0);
	});
});

describe('On the service as specified, without a list of avatars,', () => {
	const studio = useStudio();

	it('Get Many says so', async () => {
		const text = await studio.getFailure(getAvatars());
		expect(text).toContain('This service has no list of avatars (404)');
		expect(text).toContain('Copy the ID from the studio application.');
	});

	it.each([SOME_ID, 'a1', 'Anna'])('the ID %s is sent as it is', async (id) => {
		const options = { dryRun: true };
		const { json } = await studio.run(createVideo({ avatarId: createLocator(id), options }));
		expect(json[0]).toMatchObject({ request: { body: { avatarId: id } } });
	});

	it('a name cannot be looked up', async () => {
		const text = await studio.getFailure(createVideo({ avatarId: createLocator('Anna', 'name') }));
		expect(text).toContain('This service has no list of avatars');
	});
});
