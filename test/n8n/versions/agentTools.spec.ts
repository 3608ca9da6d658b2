import type { ToolCall } from '../../../n8n/languageModel';
import { call, parseItems, useAgent, type AgentRun } from '../agent';
import { useN8n } from '../runningN8n';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const AVATAR_ID = '3f2b6c1e-8d47-4a59-9c20-7e1f5b6a4d83';
const RYAN = 'au-en-GB-ryan';

const n8n = useN8n();
const agent = useAgent(n8n);

/** Makes the call and returns the result that the model reads. */
async function getToolAnswer(toolCall: ToolCall): Promise<string> {
	const { answers } = await agent.play(toolCall);
	return answers[0]!;
}

function assetIds(): string[] {
	return n8n.service.assets.map(({ id }) => id);
}

describe('the description of a tool', () => {
	let offered: AgentRun['offered'];

	beforeAll(async () => {
		({ offered } = await agent.play());
	});

	it.each([
		['Get many voices', { Search: 'string', Limit: 'number' }],
		['Get many assets', { Limit: 'number' }],
		['Get asset', { Asset: 'string' }],
		['Rename asset', { Asset: 'string', New_Name: 'string' }],
		['Delete asset', { Asset: 'string' }],
		['Download asset', { Asset: 'string' }],
		['Import asset from URL', { Name: 'string', File_URL: 'string', Type: 'string' }],
		['Create speech', { Voice: 'string', Script: 'string' }],
		['Create video', { Title: 'string', Script: 'string', Avatar_ID: 'string', Voice: 'string' }],
		['Add API key of voice provider', { Provider_Name: 'string', Service_Name: 'string' }],
	])('%s: states the action and its parameters', (action, takes) => {
		const { description, parameters } = offered[call(action).tool]!;
		const types = Object.entries(parameters.properties).map(([key, { type }]) => [key, type]);

		expect(description).toBe(`${action} in Avatar Studio`);
		expect(Object.fromEntries(types)).toEqual(takes);
	});
});

describe('an agent', () => {
	it('finds a voice and creates a video and a speech with it', async () => {
		const getVoiceId = (answers: string[]) => parseItems(answers[0])[0]!.voiceId;
		const { answers, execution } = await agent.play(
			call('Get many voices', { Search: 'ryan', Limit: 5 }),
			(heard) =>
				call('Create video', {
					Title: 'Greeting',
					Script: 'Hello!',
					Avatar_ID: AVATAR_ID,
					Voice: getVoiceId(heard),
				}),
			(heard) => call('Create speech', { Script: 'Hello again!', Voice: getVoiceId(heard) }),
			'Here is your video.',
		);
		const [video] = n8n.service.videos;
		const [speech] = n8n.service.speeches;

		expect(video).toMatchObject({ videoTitle: 'Greeting', script: 'Hello!', voiceId: RYAN });
		expect(parseItems(answers[1])).toEqual([
			{ id: video!.id, videoTitle: 'Greeting', status: 'completed', url: expect.any(String) },
		]);
		expect(speech).toMatchObject({ script: 'Hello again!', voiceId: RYAN });
		expect(parseItems(answers[2])).toEqual([
			{ id: speech!.id, voiceId: RYAN, audioUrl: expect.stringContaining(speech!.id) },
		]);
		expect(execution.items['AI Agent']).toEqual([{ output: 'Here is your video.' }]);
	});

	it('selects an asset from the list, reads it and renames it', async () => {
		const { answers } = await agent.play(
			call('Get many assets', { Limit: 2 }),
			(heard) => call('Get asset', { Asset: parseItems(heard[0])[1]!.id }),
			(heard) =>
				call('Rename asset', { Asset: parseItems(heard[1])[0]!.id, New_Name: 'Quiet backdrop' }),
		);
		const { id, name } = n8n.service.assets[1]!;

		expect(parseItems(answers[0])).toHaveLength(2);
		expect(parseItems(answers[1])).toEqual([
			expect.objectContaining({ id, name: 'Calm backdrop', url: expect.stringContaining(id) }),
		]);
		expect(parseItems(answers[2])).toEqual([{ id }]);
		expect(name).toBe('Quiet backdrop');
	});

	it('imports a file from a URL and deletes it again', async () => {
		const { answers } = await agent.play(
			call('Import asset from URL', {
				Name: 'Borrowed',
				File_URL: `${n8n.service.filesUrl}/sized/100`,
				Type: 'Image',
			}),
			(heard) => call('Delete asset', { Asset: parseItems(heard[0])[0]!.id }),
		);
		const [{ id }] = parseItems(answers[0]) as [{ id: string }];

		expect(parseItems(answers[0])).toEqual([
			expect.objectContaining({ name: 'Borrowed', url: expect.stringContaining(id) }),
		]);
		expect(parseItems(answers[1])).toEqual([{ deleted: true, id }]);
		expect(n8n.service.assets.map(({ name }) => name)).not.toContain('Borrowed');
	});

	it('registers a key that it never sees', async () => {
		const args = { Provider_Name: 'Aurora', Service_Name: 'AuroraSpeech' };

		expect(await getToolAnswer(call('Add API key of voice provider', args))).toBe(
			'[{"success":true}]',
		);
		expect(n8n.service.providerKeys).toEqual([
			{ providerName: 'Aurora', serviceName: 'AuroraSpeech', encryptedKey: 'c2VjcmV0' },
		]);
	});
});

describe('the result that a model reads', () => {
	it('of a download: the name of the file and a link to it', async () => {
		const [id] = assetIds();

		expect(parseItems(await getToolAnswer(call('Download asset', { Asset: id })))).toEqual([
			expect.objectContaining({
				id,
				name: 'Avatar portrait',
				extension: '.png',
				url: expect.stringMatching(/^http/),
			}),
		]);
	});

	it('of speech returned as a file: its name, type and size', async () => {
		n8n.service.configure({ speechResponse: 'file' });

		expect(
			parseItems(await getToolAnswer(call('Create speech', { Voice: RYAN, Script: 'Hello!' }))),
		).toEqual([
			{
				fileName: `speech-${n8n.service.speeches[0]!.id}.wav`,
				mimeType: 'audio/wav',
				fileSize: expect.stringMatching(/kB$/),
			},
		]);
	});

	it('of a list without a limit: short enough to read', async () => {
		const answer = await getToolAnswer(call('Get many voices'));

		expect(parseItems(answer)).toHaveLength(50);
		expect(answer.length / 50).toBeLessThan(250);
	});
});

describe('a model that makes a mistake', () => {
	const video = { Title: 'Greeting', Script: 'Hello!', Avatar_ID: AVATAR_ID, Voice: RYAN };
	const cases: [string, ToolCall, string[]][] = [
		[
			'an asset that does not exist',
			call('Get asset', { Asset: UNKNOWN_ID }),
			[UNKNOWN_ID, 'Check the ID'],
		],
		[
			'a name instead of an ID',
			call('Get asset', { Asset: 'Avatar portrait' }),
			['Asset must be an ID', 'Enter an ID like'],
		],
		[
			'a voice that does not exist',
			call('Create video', { ...video, Voice: 'nobody' }),
			['voiceId', 'no voice nobody', 'Select a voice from the list'],
		],
		['no voice', call('Create speech', { Script: 'Hello!' }), ['Voice is empty', 'Select a voice']],
		[
			'a number in words',
			call('Get many voices', { Search: '', Limit: 'five' }),
			['Limit must be a whole number', 'Correct the value'],
		],
		[
			'a list instead of text',
			call('Create speech', { Voice: RYAN, Script: ['Hello'] }),
			['Script must be text', 'Enter text'],
		],
	];

	it.each(cases)('%s: reads which value is wrong, and what to do', async (_what, wrong, words) => {
		const answer = await getToolAnswer(wrong);

		expect(parseItems(answer)).toEqual([{ error: expect.any(String) }]);
		for (const word of words) expect(answer).toContain(word);
		expect(n8n.service.videos.concat(n8n.service.speeches as [])).toEqual([]);
	});

	it('reads that the API key is wrong, but never the key', async () => {
		n8n.service.configure({ apiKey: 'another-key' });
		const answer = await getToolAnswer(call('Get many assets', { Limit: 1 }));

		expect(answer).toContain('The service rejected the API key (401)');
		expect(answer).toContain('Check API Key and Base URL in the credential');
		expect(answer).not.toContain('a-key-that-stays-at-home');
	});
});
