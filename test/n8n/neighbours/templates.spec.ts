import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { clearTables, interruptTables, openTable } from '../../examples/dataTables';
import { runTemplate } from '../../examples/runTemplate';
import { useStudio } from '../../support/studio';

import { requireNode, useNeighbours, type NodeRequest } from './neighbours';
import { Sheet } from './sheet';

const studio = useStudio({ speechResponse: 'link' });

beforeEach(clearTables);

const READY = { Title: 'Welcome', Script: 'Hello', Language: 'en-GB' };

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
	const made = () => studio.service.videos.map(({ videoTitle }) => videoTitle);

	it('A row becomes a video once it is filled in, and no second one', async () => {
		const sheet = new Sheet([
			{ ...READY, Title: '紹介', Language: ' EN_gb ' },
			{ ...READY, Script: '' },
			{ ...READY, Title: 2026, State: 'created' },
			{ ...READY, Title: 'Four', Language: 'xx-XX' },
			{ ...READY, Title: 'Five' },
			{ ...READY, Script: '#N/A' },
		]);
		await run(sheet);
		await run(sheet);
		expect(made().sort()).toEqual(['Five', '紹介']);
		const video = (title: string) =>
			studio.service.videos.find(({ videoTitle }) => videoTitle === title)!.id;
		expect(sheet.records).toMatchObject([
			{ State: 'created', Video: video('紹介') },
			{ State: '', Video: '' },
			{ State: 'created', Video: '' },
			{ State: expect.stringContaining('No voice speaks'), Video: '' },
			{ State: 'created', Video: video('Five') },
			{ State: '', Video: '' },
		]);
		sheet.rows[2]![1] = 'Written slowly';
		await run(sheet);
		expect(made()).toHaveLength(3);
		await run(new Sheet([]));
		expect(made()).toHaveLength(3);
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
		expect(sheet.records.map(({ State }) => State)).toEqual(['', 'created', 'created']);
		await run(sheet);
		expect(sheet.records.map(({ State }) => State)).toEqual(['created', 'created', 'created']);
		expect(made()).toHaveLength(3);
	});

	/** Runs the template while somebody changes the sheet between its first reading and the claim. */
	const runDuring = async (sheet: Sheet, change: () => unknown) => {
		let reads = 0;
		const load = useNeighbours((request) => {
			const response = sheet.respond(request);
			if (request.uri.includes('/values/') && ++reads === 1) change();
			return response;
		});
		await runTemplate(studio, 'video-from-google-sheet', {}, load);
	};
	const moved = expect.stringContaining('Moved or changed while it was claimed') as string;

	it('Rows inserted on top before the others are claimed say so, and none is made twice', async () => {
		const sheet = new Sheet([READY, { ...READY, Title: 'Two', State: 'created', Video: '1' }]);
		await runDuring(sheet, () => sheet.insertOnTop({ Title: 'New' }));
		expect(made()).toEqual([]);
		await run(sheet);
		await run(sheet);
		expect(made()).toEqual(['Welcome']);
		expect(sheet.records.map(({ State }) => State)).toEqual([moved, 'created', 'created']);
	});

	it('A row that was made keeps its state when one is inserted above it', async () => {
		const sheet = new Sheet([
			{ ...READY, State: 'created', Video: '1' },
			{ ...READY, Title: 'Two' },
		]);
		await runDuring(sheet, () => sheet.insertOnTop({}));
		await run(sheet);
		expect(made()).toEqual(['Two']);
		expect(sheet.records.map(({ State }) => State)).toEqual(['', 'created', 'created']);
	});

	it('A row that is deleted before the others are claimed keeps none from being made', async () => {
		const old = { ...READY, State: 'created', Video: '1' };
		const sheet = new Sheet([old, { ...READY, Title: 'Two' }, { ...READY, Title: 'Three' }, {}]);
		await runDuring(sheet, () => sheet.rows.splice(1, 1));
		await run(sheet);
		expect(made().sort()).toEqual(['Three', 'Two']);
		expect(sheet.records.map(({ State }) => State)).toEqual(['created', 'created', moved]);
	});

	it('A row that was made is not made again when one is inserted above it and its copy', async () => {
		const sheet = new Sheet([{ ...READY, State: 'created', Video: '1' }, READY]);
		await runDuring(sheet, () => sheet.insertOnTop({}));
		expect(made()).toEqual([]);
		await run(sheet);
		expect(made()).toHaveLength(1);
		expect(sheet.records).toMatchObject([
			{},
			{ State: 'created', Video: '1' },
			{ State: 'created' },
		]);
	});

	it.each([{}, { Order: '7-2', Video: 'old' }])(
		'A row that is changed while it is claimed is not made as it was (%j)',
		async (made) => {
			const sheet = new Sheet([{ ...READY, ...made }]);
			await runDuring(sheet, () => (sheet.rows[1]![1] = 'Another script'));
			await run(sheet);
			expect(studio.service.videos).toEqual([]);
			expect(sheet.records).toMatchObject([{ State: moved }]);
		},
	);

	it('A row that was made is made again if its script is corrected and its state emptied', async () => {
		const sheet = new Sheet([{ ...READY, Script: 'Corrected', Order: '7-2', Video: 'old' }]);
		await run(sheet);
		await run(sheet);
		expect(made()).toHaveLength(1);
		expect(sheet.records).toMatchObject([
			{ State: 'created', Video: expect.not.stringMatching('old') },
		]);
	});

	it.each(['State', 'Order'])('A sheet without the column %s costs nothing', async (missing) => {
		const columns = ['Title', 'Script', 'Language', 'State', 'Order', 'Video'];
		const sheet = new Sheet(
			[READY],
			columns.filter((name) => name !== missing),
		);
		await run(sheet);
		await run(sheet);
		expect(made()).toEqual([]);
	});

	it.each([1, 2, 3, 4, 5, 6])(
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
			expect(made()).toHaveLength(2);
		},
	);

	it('Of many rows ten are made at a time', async () => {
		const sheet = new Sheet(Array.from({ length: 25 }, (_, row) => ({ ...READY, Title: row + 1 })));
		for (const count of [10, 20, 25]) {
			await run(sheet);
			expect(made()).toHaveLength(count);
		}
		expect(new Set(made()).size).toBe(25);
	});
});

describe('Speech for WordPress posts', () => {
	it.each([
		['Caf&eacute; Tom &amp; Jerry &lt;3', 'Café Tom & Jerry <3'],
		['&#8220;Hi&#x201D; &nbsp;&amp;lt; &unknown;', '“Hi” \u00A0&lt; &unknown;'],
		[
			'<h2>One</h2><p>Two<br>Three</p><script>var a = "<p>";</script><style>p {}</style>',
			'One\nTwo\nThree',
		],
		['<p>[sic] ガイド</p><!-- more --><noscript>No</noscript>', '[sic] ガイド'],
	])('%j is read as %j', async (rendered, script) => {
		const raw = '<!-- wp:block {"ref":12} /-->';
		const post = {
			id: 1,
			content: { raw, rendered },
			_links: { self: [{ href: 'https://blog.example.com/wp-json/wp/v2/posts/1' }] },
		};
		const embedded = { ...post, content: { raw: '<audio controls></audio>' } };
		const page = { body: [post], headers: { 'x-wp-totalpages': '1' } };
		const { requests, load } = recordRequests(({ method, uri }) =>
			method === 'GET' && !uri.endsWith('/posts/1') ? page : method === 'GET' ? post : embedded,
		);
		const upload = { 'Upload the audio': [{ source_url: 'https://blog.example.com/1.wav' }] };
		const run = await runTemplate(studio, 'speech-for-wordpress-post', upload, load);
		expect(run.status).toBe('success');
		expect(studio.service.speeches).toMatchObject([{ script }]);
		expect(requests.slice(2)).toMatchObject([
			{
				uri: 'https://blog.example.com/wp-json/wp/v2/posts/1',
				// A redirected write would become a read.
				followRedirect: false,
				body: { content: `<audio controls src="https://blog.example.com/1.wav"></audio>\n${raw}` },
			},
		]);
		expect(openTable('Spoken posts').rows).toMatchObject([{ post: '1', state: 'spoken' }]);
	});

	it('A post that WordPress refuses is listed with its reason, and the others say what became of them', async () => {
		const posts = [1, 2, 3].map((id) => ({
			id,
			content: { raw: 'Hello', rendered: 'Hello' },
			_links: { self: [{ href: `https://blog.example.com/wp-json/wp/v2/posts/${id}` }] },
		}));
		const { load } = recordRequests(({ method, uri }) => {
			if (uri.endsWith('/posts')) return { body: posts, headers: { 'x-wp-totalpages': '1' } };
			if (method === 'POST' && uri.endsWith('/1')) throw new Error('Sorry, not allowed');
			// A cache may answer a write as it answers a read.
			if (method === 'POST' && uri.endsWith('/2')) return { content: { raw: '<audio></audio>' } };
			return posts[Number(uri.at(-1)) - 1];
		});
		const upload = posts.map(({ id }) => ({ source_url: `https://blog.example.com/${id}.wav` }));
		const run = await runTemplate(
			studio,
			'speech-for-wordpress-post',
			{ 'Upload the audio': upload },
			load,
		);
		expect(run.status).toBe('success');
		const reason = expect.stringMatching(/created, but not embedded: .*not allowed/) as string;
		expect(run.items('List without audio')).toMatchObject([{ reason }]);
		expect(openTable('Spoken posts').rows).toMatchObject([
			{ state: reason },
			{ state: 'spoken' },
			{ state: expect.stringContaining('did not confirm') },
		]);
	});

	it('All posts of a busy week are spoken, each once', async () => {
		const pages = [1, 2, 3].map((page) =>
			Array.from({ length: 10 }, (_, index) => ({
				id: page * 10 + index,
				content: { raw: 'Hello', rendered: 'Hello' },
				_links: { self: [{ href: 'https://blog.example.com/wp-json/wp/v2/posts/1' }] },
			})),
		);
		const headers = { 'x-wp-totalpages': '3' };
		const { load } = recordRequests(({ method, qs }) =>
			method === 'GET' ? { body: pages[Number(qs!.page) - 1], headers } : {},
		);
		const upload = { 'Upload the audio': [new Error('Too large')] };
		for (const count of [0, 30]) {
			expect(studio.service.speeches).toHaveLength(count);
			const run = await runTemplate(studio, 'speech-for-wordpress-post', upload, load);
			expect(run.items('List without audio')).toHaveLength(30);
		}
		expect(studio.service.speeches).toHaveLength(30);
		expect(openTable('Spoken posts').rows).toHaveLength(30);
	});
});

test('Assets are renamed, each name is given once, and the others are reported', async () => {
	const names = ['Team Photo', 'TEAM_PHOTO'];
	studio.service.assets = names.map((name) => ({ id: randomUUID(), name, extension: '.png' }));
	const load = useNeighbours(() => undefined);
	const run = await runTemplate(studio, 'rename-assets-on-schedule', {}, load);
	expect(studio.service.assets.map(({ name }) => name)).toEqual(['team-photo', 'TEAM_PHOTO']);
	expect(run.items('Report')).toEqual([
		{
			assets: 2,
			renamed: 1,
			changes: ['Team Photo → team-photo'],
			failures: ['TEAM_PHOTO: another asset is called team-photo'],
		},
	]);
});

test('A HubSpot contact is mailed its video, and a colleague what was interrupted', async () => {
	const contact = {
		vid: 7,
		properties: { firstname: { value: ' Ada ' }, email: { value: 'ada@example.com' } },
	};
	const { requests, load } = recordRequests(({ uri }) =>
		uri.includes('/contacts/v1/contact/vid/7/') ? contact : { id: 'mail' },
	);
	const readMail = () => {
		const { raw } = requests.at(-1)!.body as { raw: string };
		return Buffer.from(raw, 'base64').toString();
	};
	const answers = { 'New contact': [{ contactId: 7, subscriptionType: 'contact.creation' }] };
	for (const time of ['first', 'second']) {
		const run = await runTemplate(studio, 'personal-video-for-contact', answers, load);
		expect([time, run.status]).toEqual([time, 'success']);
	}
	expect(studio.service.videos).toMatchObject([{ videoTitle: 'Welcome, Ada' }]);
	expect(requests).toHaveLength(3);
	const table = openTable('Greeted contacts');
	const { id } = studio.service.videos[0]!;
	expect(table.rows).toMatchObject([{ contact: '7', state: 'created', video: id }]);
	requests.pop();
	expect(readMail()).toContain('To: ada@example.com');

	await table.insertRows([{ contact: '8', state: 'claimed' }]);
	table.rows[1]!.createdAt = new Date(0);
	await runTemplate(studio, 'personal-video-for-contact', { 'Every morning': [{}] }, load);
	expect(readMail()).toContain('Subject: Video for contact 8');
});

test('An order of the webhook is carried out once', async () => {
	const order = async () => {
		const run = await runTemplate(
			studio,
			'video-from-webhook',
			{},
			useNeighbours(() => undefined),
		);
		return [...run.sent('Send the video'), ...run.sent('Say that it was ordered')];
	};
	interruptTables(2, order);
	await order();
	const [{ id } = {}, ...others] = studio.service.videos;
	expect(others).toEqual([]);
	expect(openTable('Video orders').rows).toMatchObject([
		{ order: '2026-0042', state: 'created', video: id },
	]);
	expect(await order()).toMatchObject([{ responseBody: { state: 'created', video: id } }]);
});

test('Rows of a data table become videos, each once', async () => {
	const table = openTable('Videos to make');
	await table.insertRows([
		{ title: 'One', script: 'Hello' },
		{ title: 'Two', script: 'Hello', state: '' },
		{ title: 'Three', script: '' },
		{ title: 'Four', script: 'Hello', state: 'claimed' },
	]);
	for (const time of ['first', 'second']) {
		const load = useNeighbours(() => undefined);
		const run = await runTemplate(studio, 'videos-from-table', {}, load);
		expect([time, run.status]).toEqual([time, 'success']);
	}
	expect(studio.service.videos).toHaveLength(2);
	expect(table.rows).toMatchObject([
		{ state: 'done', video: expect.any(String), note: '' },
		{ state: 'done', video: expect.any(String), note: '' },
		{ state: 'claimed', video: null, note: expect.stringContaining('Script') },
		{ state: 'claimed', video: null, note: null },
	]);
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
