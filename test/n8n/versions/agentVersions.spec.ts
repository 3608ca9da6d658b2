import { agentVersions, call, parseItems, useAgent } from '../agent';
import { useN8n } from '../runningN8n';

const AVATAR_ID = '3f2b6c1e-8d47-4a59-9c20-7e1f5b6a4d83';
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

const n8n = useN8n();

/** The OpenAI Chat Model calls /chat/completions if the agent is older than version 3. */
const throughCompletions = { modelParameters: { responsesApiEnabled: false } };

const agents = agentVersions().flatMap((version) => [
	...(version < 3 ? [] : [[version, '/v1/responses', {}] as const]),
	[version, '/v1/chat/completions', throughCompletions] as const,
	[
		version,
		'/v1/chat/completions',
		{ ...throughCompletions, toolSettings: { onError: 'continueRegularOutput' } },
	] as const,
	[
		version,
		'/v1/chat/completions',
		{
			...throughCompletions,
			toolSettings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		},
	] as const,
]);

describe.each(agents)('AI Agent %s through %s with %j', (version, route, options) => {
	const agent = useAgent(n8n, { version, ...options });

	it('reads an error, finds a voice and creates the video', async () => {
		const video = { Title: 'Greeting', Script: 'Hello!', Avatar_ID: AVATAR_ID };
		const run = await agent.play(
			call('Create video', { ...video, Avatar_ID: 'the lady', Voice: 'Ryan' }),
			call('Get many voices', { Search: 'ryan', Limit: 1 }),
			(heard) => call('Create video', { ...video, Voice: parseItems(heard[1])[0]!.voiceId }),
			call('Get asset', { Asset: UNKNOWN_ID }),
			'There it is.',
		);

		expect(run.route).toBe(route);
		expect(run.answers[0]).toContain('Avatar ID must be an ID');
		expect(parseItems(run.answers[2])).toEqual([
			{
				id: n8n.service.videos[0]!.id,
				videoTitle: 'Greeting',
				status: 'completed',
				url: expect.any(String),
			},
		]);
		expect(run.answers[3]).toContain(`There is no asset ${UNKNOWN_ID}`);
		expect(run.execution.items['AI Agent']).toEqual([{ output: 'There it is.' }]);
	});

	it('creates a video once if the connection drops afterwards', async () => {
		n8n.service.injectFault({
			when: { method: 'POST' },
			disconnect: 'beforeResponse',
			afterEffect: true,
		});
		const { answers } = await agent.play(
			call('Create video', {
				Title: 'Greeting',
				Script: 'Hello!',
				Avatar_ID: AVATAR_ID,
				Voice: 'au-en-GB-ryan',
			}),
		);

		expect(answers[0]).toContain('The video may exist anyway');
		expect(n8n.service.videos).toHaveLength(1);
	});

	it('gets a separate result for every call of a tool', async () => {
		const [first, second] = n8n.service.assets.map(({ id }) => id);
		const wanted = [first, second, second, first];
		const calls = wanted.map((id) => call('Get asset', { Asset: id }));
		const { answers } = await agent.play(calls.slice(0, 2), ...calls.slice(2));

		expect(answers.map((answer) => parseItems(answer)[0]!.id)).toEqual(wanted);
		expect(n8n.service.requests).toHaveLength(4);
	});
});
