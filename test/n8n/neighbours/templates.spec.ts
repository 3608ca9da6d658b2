import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { runTemplate } from '../../examples/runTemplate';
import { useStudio } from '../../support/studio';

import { requireNode, useNeighbours, type NodeRequest } from './neighbours';
import { Sheet } from './sheet';

const studio = useStudio({ speechResponse: 'link' });

const READY = { Title: 'Welcome', Script: 'Hello', Language: 'en-GB', State: 'ready' };

/** Loads the nodes, and notes what they request. */
function recordRequests(respond: (request: NodeRequest) => unknown = () => ({ ok: true })) {
	const requests: NodeRequest[] = [];
	const load = useNeighbours((request) => {
		requests.push(request);
		return respond(request);
	});
	return { requests, load };
}

describe('Videos from a Google sheet', () => {
	const run = async (sheet: Sheet) => {
		const load = useNeighbours((request) => sheet.respond(request));
		expect((await runTemplate(studio, 'video-from-google-sheet', {}, load)).status).toBe('success');
	};

	it('A row that is ready becomes a video, and no second one', async () => {
		const sheet = new Sheet([
			{ ...READY, Title: '紹介', Language: ' EN_gb ' },
			{ ...READY, State: '' },
			{ ...READY, Title: 2026, State: 'created' },
			{ ...READY, Title: 'Four', Language: 'xx-XX' },
		]);
		await run(sheet);
		await run(sheet);
		expect(studio.service.videos).toMatchObject([{ videoTitle: '紹介' }]);
		expect(sheet.records).toMatchObject([
			{ State: 'created', Video: studio.service.videos[0]!.id },
			{ State: '', Video: '' },
			{ State: 'created', Video: '' },
			{ State: expect.stringContaining('No voice speaks'), Video: '' },
		]);
		await run(new Sheet([]));
		expect(studio.service.videos).toHaveLength(1);
	});

	it('A row inserted on top while videos are created keeps its state, and the others get theirs', async () => {
		const sheet = new Sheet([READY, { ...READY, Title: 'Two' }]);
		studio.service.injectFault({
			when: ({ path }) => {
				if (path === '/v1/talkingphotos' && sheet.records.length === 2) sheet.insertOnTop(READY);
				return false;
			},
		});
		await run(sheet);
		expect(sheet.records.map(({ State }) => State)).toEqual(['ready', 'created', 'created']);
		await run(sheet);
		expect(sheet.records.map(({ State }) => State)).toEqual(['created', 'created', 'created']);
		expect(studio.service.videos).toHaveLength(3);
	});

	it.each([1, 2, 3])(
		'Each row says what became of it, though Google refuses request %i after the claim',
		async (refused) => {
			const sheet = new Sheet([READY, { ...READY, Title: 'Two' }, { ...READY, Language: 'xx' }]);
			let requests = 0;
			const load = useNeighbours((request) => {
				const isClaimed = sheet.records[0]!.State === 'claimed';
				if (isClaimed && ++requests === refused) throw new Error('Quota exceeded for quota metric');
				return sheet.respond(request);
			});
			await runTemplate(studio, 'video-from-google-sheet', {}, load);
			expect(sheet.records.map(({ State }) => State)).toEqual([
				'created',
				'created',
				expect.stringContaining('No voice speaks'),
			]);
			expect(studio.service.videos).toHaveLength(2);
		},
	);
});

test('A Telegram message is answered with audio, and a command is not', async () => {
	const { requests, load } = recordRequests();
	const chat = { id: 42, type: 'private', first_name: 'Ada' };
	const from = { id: 42, is_bot: false, first_name: 'Ada', language_code: 'de' };
	const Message = ['/start', 'Hallo!'].map((text, id) => {
		return { update_id: id, message: { message_id: id, from, chat, date: 3, text } };
	});
	const run = await runTemplate(studio, 'telegram-voice-reply', { Message }, load);
	expect(run.status).toBe('success');
	expect(studio.service.speeches).toMatchObject([
		{ script: 'Hallo!', voiceId: expect.stringContaining('de-DE') },
	]);
	expect(requests).toMatchObject([{ uri: expect.stringContaining('/sendAudio') }]);
});

test('A script approved in Slack becomes a video, and Slack is told', async () => {
	const { requests, load } = recordRequests(() => ({ ok: true, message: {} }));
	// Send and Wait ends the execution until somebody clicks.
	const answers = { 'Ask in Slack': [{ data: { approved: true } }] };
	const run = await runTemplate(studio, 'video-after-slack-approval', answers, load);
	expect(run.status).toBe('success');
	const text = expect.stringContaining(studio.service.videos[0]!.id) as string;
	expect(requests).toMatchObject([{ body: { text } }]);
});

test('An article of a feed is read to the model', async () => {
	const feed = `<rss version="2.0"><channel><title>Blog</title><item>
		<title>Opening hours</title><link>https://blog.example.com/hours</link>
		<pubDate>Mon, 02 Nov 2026 09:00:00 GMT</pubDate>
		<description>&lt;p&gt;Open from &lt;b&gt;nine&lt;/b&gt; to five&lt;/p&gt;</description>
	</item></channel></rss>`;
	const server = createServer((_request, response) => response.end(feed)).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const articles = await requireNode('RssFeedRead/RssFeedReadTrigger').poll!.call({
		getMode: () => 'trigger',
		getNodeParameter: () => url,
		getWorkflowStaticData: () => ({ lastItemDate: '2026-11-01T00:00:00Z' }),
		helpers: {
			httpRequest: async () => await (await fetch(url)).text(),
			returnJsonArray: (list: IDataObject[]) => list.map((json) => ({ json })),
		},
	} as never);
	server.close();
	const run = await runTemplate(studio, 'video-from-rss', {
		'New article': articles![0]!.map(({ json }) => json),
		'Write the script': [{ text: 'Hello' }],
	});
	expect(run.status).toBe('success');
	const [prompt] = run.sent('Write the script');
	expect(prompt!.text).toMatch(/\n\nOpening hours\n\nOpen from nine to five$/);
	expect(studio.service.videos).toMatchObject([{ videoTitle: 'Opening hours' }]);
	expect(run.items('List the video')).toMatchObject([
		{ article: 'https://blog.example.com/hours' },
	]);
});
