import { SOME_ID, VOICE } from '../../support/parameters';
import { agentVersions, call, parseItems, useAgent } from '../agent';
import { useN8n } from '../runningN8n';

const VIDEO = { Title: 'Greeting', Script: 'Hello!', Avatar: SOME_ID, Voice: VOICE };

const n8n = useN8n();

describe('An agent', () => {
	const agent = useAgent(n8n);

	it('is offered each operation with its action and its parameters', async () => {
		const { offered } = await agent.play();
		const described = offered.map(({ description, parameters: { properties } }) => {
			const types = Object.entries(properties).map(([key, { type }]) => [key, type] as const);
			return [description.replace(' in Avatar Studio', ''), Object.fromEntries(types)] as const;
		});
		const [text, number] = ['string', 'number'];
		const expected = {
			'Get many voices': { Search: text, Limit: number },
			'Get many assets': { Limit: number },
			'Get asset': { Asset: text },
			'Rename asset': { Asset: text, New_Name: text },
			'Delete asset': { Asset: text },
			'Download asset': { Asset: text },
			'Import asset from URL': { Name: text, File_URL: text, Type: text },
			'Create speech': { Voice: text, Script: text },
			'Create video': { Title: text, Script: text, Avatar: text, Voice: text },
			'Get video': { Video_ID: text },
			'Get many avatars': { Limit: number },
			'Add API key of voice provider': { Provider_Name: text, Service_Name: text },
		};
		expect(Object.fromEntries(described)).toEqual(expect.objectContaining(expected));
	});

	it('uses each operation, and reads its result', async () => {
		const found = (heard: string[], call: number) => parseItems(heard[call])[0]!;
		const fileUrl = `${n8n.service.filesUrl}/sized/100`;
		const { answers, execution } = await agent.play(
			call('Get many voices', { Search: 'ryan', Limit: 5 }),
			(heard) => call('Create video', { ...VIDEO, Voice: found(heard, 0).voiceId }),
			(heard) => call('Create speech', { Voice: found(heard, 0).voiceId, Script: 'Again!' }),
			call('Get many assets', { Limit: 2 }),
			(heard) => call('Get asset', { Asset: found(heard, 3).id }),
			(heard) => call('Rename asset', { Asset: found(heard, 4).id, New_Name: 'Me' }),
			(heard) => call('Download asset', { Asset: found(heard, 5).id }),
			call('Import asset from URL', { Name: 'Borrowed', File_URL: fileUrl, Type: 'Image' }),
			(heard) => call('Delete asset', { Asset: found(heard, 7).id }),
			call('Add API key of voice provider', { Provider_Name: 'Aurora', Service_Name: 'Speech' }),
			'Here is your video.',
		);
		const { assets, videos, speeches } = n8n.service;
		const [{ id } = { id: '' }] = assets;
		const url = expect.stringMatching(/^http/) as string;
		expect(answers.slice(1).map(parseItems)).toEqual([
			[expect.objectContaining({ id: videos[0]!.id, finished: true, url, fileUrl: url })],
			[{ id: speeches[0]!.id, voiceId: VOICE, audioUrl: url, fileUrl: url }],
			[expect.objectContaining({ id }), expect.anything()],
			[expect.objectContaining({ id, name: 'Avatar portrait', url })],
			[{ id }],
			[expect.objectContaining({ id, name: 'Me', extension: '.png', url })],
			[expect.objectContaining({ name: 'Borrowed', url })],
			[{ deleted: true, id: expect.any(String) }],
			[{ success: true }],
		]);
		expect(assets.map(({ name }) => name)).not.toContain('Borrowed');
		expect(n8n.service.providerKeys).toMatchObject([{ encryptedKey: 'c2VjcmV0' }]);
		expect(execution.items['AI Agent']).toEqual([{ output: 'Here is your video.' }]);
	});
});

const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

describe.each(
	agentVersions().flatMap((version) => [{ version }, { version, toolSettings: retried }]),
)('An agent with %j', (options) => {
	const agent = useAgent(n8n, options);

	it('corrects an error, and gets a separate result for every call of a tool', async () => {
		const [first, second] = n8n.service.assets.map(({ id }) => id);
		const { answers } = await agent.play(
			call('Create video', { ...VIDEO, Avatar: 'the lady' }),
			call('Create video', { ...VIDEO, Voice: 'Ryan' }),
			[call('Get asset', { Asset: first }), call('Get asset', { Asset: second })],
			'There it is.',
		);
		expect(answers[0]).toContain('This service has no list of avatars');
		expect(n8n.service.videos).toMatchObject([{ voiceId: VOICE }]);
		const ids = answers.slice(1).map((answer) => parseItems(answer)[0]!.id);
		expect(ids).toEqual([n8n.service.videos[0]!.id, first, second]);
	});

	it('creates a video once if the connection drops afterwards', async () => {
		const when = { method: 'POST' };
		n8n.service.injectFault({ when, disconnect: 'beforeResponse', afterEffect: true });
		const { answers } = await agent.play(call('Create video', VIDEO));
		expect(answers[0]).toContain('The video may exist anyway');
		expect(n8n.service.videos).toHaveLength(1);
	});
});
