import { useService } from './client';

interface Listed {
	id: string;
	voiceId: string;
	menuImageUrl: string;
}

const list = async (api: ReturnType<typeof useService>, path: string) =>
	(await api.call('GET', path)).json as Listed[];
const listIds = async (...request: Parameters<typeof list>) =>
	(await list(...request)).map(({ id }) => id);

describe('As its clients know it', () => {
	const api = useService();

	it('the service lists avatars, each with a picture, in pages that count from 1', async () => {
		const { avatars } = api.service;
		const first = await list(api, '/v1/avatars?PageSize=15&Page=1');
		const second = await listIds(api, '/v1/avatars?PageSize=15&Page=2');
		const ids = [...first.map(({ id }) => id), ...second];
		expect(ids).toEqual(avatars.map(({ id }) => id));
		expect(new Set(ids).size).toBe(21);

		const pictures = await Promise.all(first.map(({ menuImageUrl }) => fetch(menuImageUrl)));
		for (const { status, headers } of pictures) {
			expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
		}
	});

	it('the service lists voices without an envelope, with IDs as in use', async () => {
		const ids = (await list(api, '/v1/voices')).map(({ voiceId }) => voiceId);
		expect(ids).toEqual(
			expect.arrayContaining(['en-US-JennyMultilingualNeural', 'tr-TR-AhmetNeural']),
		);
		expect(ids.length).toBeGreaterThan(50);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('the service may list voices in an envelope', async () => {
		api.service.configure({ voicesResponse: 'envelope' });
		expect((await api.call('GET', '/v1/voices')).json).toEqual({ voices: api.service.voices });
	});
});

describe('As specified', () => {
	const api = useService({ asSpecified: true });

	it('the service lists voices in an envelope, with IDs that begin with a prefix', async () => {
		const { json } = await api.call('GET', '/v1/voices?query=ryan');
		expect(json).toMatchObject({ voices: [{ voiceId: 'au-en-GB-ryan' }] });
	});

	it('a created video has one link, which plays at once', async () => {
		const body = { videoTitle: 'Welcome', script: 'Hello', voiceId: 'au-en-GB-ryan' };
		const { json } = await api.call('POST', '/v1/talkingphotos', { body });
		const url = expect.any(String) as string;
		expect(json).toEqual({ id: url, videoTitle: 'Welcome', status: 'completed', url });
		expect((await fetch((json as { url: string }).url)).status).toBe(200);
	});

	it.each([
		['GET', '/v1/avatars'],
		['GET', '/v1/talkingphotos/1f0e6f0a-53d5-4a0b-9d0b-6d0c3f6a2b11'],
	])('the service has no %s %s, but to ask for it is no violation', async (method, path) => {
		expect((await api.call(method, path)).status).toBe(404);
		expect(api.service.violations).toEqual([]);
	});
});
