import { randomUUID } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { useClock } from '../support/clock';
import { createSpeech } from '../support/parameters';
import { useStudio } from '../support/studio';

import { clearTables, interruptTables, openTable } from './dataTables';
import { runTemplate, type Answers, type TemplateRun } from './runTemplate';

const studio = useStudio({ speechResponse: 'link' });
const clock = useClock();

beforeEach(clearTables);

/** Runs a template, which must not fail. */
async function run(file: string, answers?: Answers): Promise<TemplateRun> {
	const finished = await runTemplate(studio, file, answers);
	expect(finished.status).toBe('success');
	return finished;
}

const PICTURE = { id: '7', name: 'Cat.png' };
const SCRIPT = 'Welcome! It is good to have you here.';
const BRITISH = expect.stringContaining('en-GB') as string;
const ADA = { firstname: { value: 'Ada' }, email: { value: 'a@example.com' } };
const ROW = { id: 1, title: 'Welcome', script: 'Hello there' };

/** A template that creates a video. */
interface VideoTemplate {
	file: string;
	/** Its input, if that is not its sample. */
	answers?: Answers;
	/** The video that the service is asked for. */
	video: IDataObject;
	/** The node that reports the video. */
	reports: string;
	/** What is reported of a video without an ID. */
	withoutId: IDataObject;
	/** The node that reports why there is no video, or no ID. */
	explains: string;
}

const videoTemplates: VideoTemplate[] = [
	{
		file: 'agent-with-human-review',
		answers: {
			Review: [
				{ Title: 'Welcome', Script: 'Hello', Voice: 'Ryan, en-GB', Decision: 'Create the video' },
			],
		},
		video: { videoTitle: 'Welcome', script: 'Hello', voiceId: 'au-en-GB-ryan' },
		reports: 'Show the video',
		withoutId: { completionMessage: 'Find it in the studio application.' },
		explains: 'Show the reason',
	},
	{
		file: 'new-asset-to-video',
		answers: { 'New picture': [PICTURE] },
		video: {
			videoTitle: 'New: Cat.png',
			script: 'There is something new to see: Cat.png. Have a look!',
		},
		reports: 'Say what is made',
		withoutId: { message: 'A video about “Cat.png” is being created.' },
		explains: 'Say what went wrong',
	},
	{
		file: 'personal-video-for-contact',
		video: {
			videoTitle: 'Welcome, Ada',
			script: 'Hello Ada, welcome! I look forward to working with you.',
		},
		reports: 'Note the result',
		withoutId: { columns: expect.objectContaining({ value: { state: 'created', video: '' } }) },
		explains: 'Mail a colleague',
	},
	{
		file: 'video-after-slack-approval',
		video: { videoTitle: 'Welcome', script: SCRIPT, voiceId: BRITISH },
		reports: 'Post the video',
		withoutId: { text: 'The video “Welcome” is being created.' },
		explains: 'Post the reason',
	},
	{
		file: 'video-from-form',
		answers: { Form: [{ Title: 'Welcome', Script: 'Hello there', Language: 'en-GB' }] },
		video: { videoTitle: 'Welcome', script: 'Hello there', voiceId: BRITISH },
		reports: 'Show the video',
		withoutId: { completionMessage: 'Find it in the studio application.' },
		explains: 'Show the reason',
	},
	{
		file: 'video-from-google-sheet',
		video: { videoTitle: 'Welcome', script: SCRIPT, voiceId: BRITISH },
		reports: 'Write the video',
		withoutId: {
			columns: expect.objectContaining({
				value: { Order: '1-2', Video: '', State: 'created' },
			}),
		},
		explains: 'Write the reason',
	},
	{
		file: 'video-from-rss',
		answers: { 'Write the script': [{ text: 'Hello there' }] },
		video: { videoTitle: 'Opening hours in winter', script: 'Hello there' },
		reports: 'List the video',
		withoutId: { video: '', state: 'created' },
		explains: 'List the video',
	},
	{
		file: 'video-from-webhook',
		video: { videoTitle: 'Greeting', script: 'Hello!', voiceId: 'au-en-GB-ryan' },
		reports: 'Send the video',
		withoutId: {
			responseBody: { orderId: '2026-0042', video: { success: true } },
			options: { responseCode: 201 },
		},
		explains: 'Send the reason',
	},
	{
		file: 'video-in-five-languages',
		answers: { Translate: [{ text: 'Hello there' }] },
		video: { videoTitle: 'Welcome (English)', script: 'Hello there', voiceId: BRITISH },
		reports: 'List of videos',
		withoutId: { video: '', state: 'created' },
		explains: 'List of videos',
	},
	{
		file: 'videos-from-table',
		answers: { 'Rows without a state': [ROW], 'Claim row': [ROW] },
		video: { videoTitle: 'Row 1: Welcome', script: 'Hello there' },
		reports: 'Mark row as done',
		withoutId: {
			columns: expect.objectContaining({ value: { state: 'done', video: '', note: '' } }),
		},
		explains: 'Note the reason',
	},
];

describe.each(videoTemplates)('$file', ({ file, answers, ...template }) => {
	const { video, reports, withoutId, explains } = template;

	it('A video is created from its input and reported with its ID', async () => {
		const result = await run(file, answers);
		expect(studio.service.videos).toContainEqual(expect.objectContaining(video));
		const texts = result.results(reports).map((result) => JSON.stringify(result));
		const ids = studio.service.videos.map(({ id }) => expect.stringContaining(id) as unknown);
		expect(texts).toEqual(ids);
	});

	it('A video without an ID is reported', async () => {
		studio.service.configure({ videoResponse: 'empty' });
		const result = await run(file, answers);
		const [told] = [reports, explains].flatMap((node) => result.results(node));
		expect(told).toMatchObject(withoutId);
	});

	it('A video that may exist is not reported as missing', async () => {
		studio.service.injectFault({
			when: { path: '/v1/talkingphotos' },
			disconnect: 'beforeResponse',
			afterEffect: true,
		});
		const result = await run(file, answers);
		const text = JSON.stringify(result.results(explains)[0]);
		expect(text).toContain('The video may exist anyway');
		expect(text).not.toMatch(/\bno video|not created/i);
	});
});

test('A video is created only after its script was approved', async () => {
	const ask = async (approved: boolean) => {
		const result = await run('video-after-slack-approval', {
			'Ask in Slack': [{ data: { approved } }],
		});
		expect(result.sent('Ask in Slack')).toMatchObject([
			{ message: expect.stringContaining(SCRIPT) },
		]);
		return result.sent('Post the refusal').length;
	};
	expect(await ask(false)).toBe(1);
	expect(studio.service.videos).toEqual([]);
	expect(await ask(true)).toBe(0);
	expect(studio.service.videos).toHaveLength(1);
});

test('A model reads the article', async () => {
	const answers = { 'Write the script': [{ text: 'Hello there' }] };
	const result = await run('video-from-rss', answers);
	const text = expect.stringContaining('From November to March we are open') as string;
	expect(result.sent('Write the script')).toMatchObject([{ text }]);
	const [{ article } = {}] = result.items('List the video');
	expect(article).toBe('https://example.com/opening-hours');
});

test('Each language gets its translation and a voice that speaks it', async () => {
	const scripts = ['Welcome!', 'Willkommen!', '¡Bienvenidos!', 'Bienvenue !', 'Benvenuti!'];
	await run('video-in-five-languages', {
		Translate: scripts.map((text) => ({ text })),
	});
	const made = studio.service.videos.map(({ script, voiceId }) => [script, voiceId]);
	expect(Object.fromEntries(made)).toEqual(
		Object.fromEntries(
			['en-GB', 'de-DE', 'es-ES', 'fr-FR', 'it-IT'].map((code, index) => [
				scripts[index],
				expect.stringContaining(code),
			]),
		),
	);
});

test('A caller of the webhook may repeat an order, and pays once', async () => {
	const order = async (body: IDataObject) => {
		const result = await run('video-from-webhook', { Webhook: [{ body }] });
		return ['Send the video', 'Send the reason', 'Say that it was ordered', 'Say what is missing']
			.flatMap((node) => result.sent(node))
			.map(({ options, responseBody }) => [
				(options as IDataObject).responseCode,
				(responseBody as IDataObject).mayExist,
			]);
	};
	expect(await order({ orderId: 'a', script: 'Hello', voice: 'en-GB' })).toEqual([[422, false]]);
	studio.service.injectFault({ status: 402, times: 1, when: { method: 'POST' } });
	expect(await order({ orderId: 'b', script: 'Hello' })).toEqual([[424, false]]);
	studio.service.injectFault({
		disconnect: 'beforeResponse',
		afterEffect: true,
		when: { method: 'POST' },
	});
	expect(await order({ orderId: 3, script: 'Hello' })).toEqual([[202, true]]);
	studio.service.clearFaults();
	expect(await order({ orderId: 3, script: 'Hello' })).toEqual([[409, undefined]]);
	expect(await order({ orderId: '3', script: 'Hello' })).toEqual([[409, undefined]]);
	expect(studio.service.videos).toHaveLength(1);
	for (const incomplete of [
		{},
		{ orderId: ' ' },
		{ orderId: '\u200b' },
		{ orderId: { number: 4 } },
		{ orderId: '4', script: '\u2060 \ufeff\u0007' },
		{ orderId: '4', script: { text: 'Hello' } },
		{ orderId: '4', script: '🎄'.slice(0, 1) },
	]) {
		expect(await order({ script: 'Hello', ...incomplete })).toEqual([[400, undefined]]);
	}
	expect(await order({ orderId: '4', script: 'Hello' })).toEqual([[201, undefined]]);
});

describe('Orders that come in at the same moment', () => {
	const order = async (orderId: string) => {
		const result = await runTemplate(studio, 'video-from-webhook', {
			Webhook: [{ body: { orderId, script: orderId } }],
		});
		return ['Send the video', 'Say that it was ordered'].flatMap((node) =>
			result.sent(node).map(({ responseBody }) => responseBody as IDataObject),
		);
	};
	const listOrders = () => openTable('Video orders').rows.map(({ order, state }) => [order, state]);
	const made = () => studio.service.videos.map(({ script }) => script).sort();

	it.each([1, 2, 3])('If they are equal, one is paid for (%i)', async (operation) => {
		const answers: IDataObject[] = [];
		interruptTables(operation, async () => answers.push(...(await order('a'))));
		answers.push(...(await order('a')));
		expect(made()).toEqual(['a']);
		expect(answers.filter(({ video }) => typeof video === 'object')).toHaveLength(1);
		expect(answers).toHaveLength(2);
		expect(listOrders()).toEqual([['a', 'created']]);
	});

	it.each([1, 2, 3])('If they are different, none is forgotten (%i)', async (operation) => {
		interruptTables(operation, async () => await order('b'));
		for (const orderId of ['a', 'b', 'a']) await order(orderId);
		expect(made()).toEqual(['a', 'b']);
		expect(listOrders().sort()).toEqual([
			['a', 'created'],
			['b', 'created'],
		]);
	});

	it('A repeated order is answered with what became of the first', async () => {
		await order('a');
		const [{ id } = {}] = studio.service.videos;
		expect(await order('a')).toMatchObject([{ orderId: 'a', state: 'created', video: id }]);
	});

	it('An order that was interrupted is not carried out again, until its row is deleted', async () => {
		interruptTables(3, () => {
			throw new Error('n8n was killed');
		});
		await order('a');
		expect(await order('a')).toMatchObject([
			{ state: 'claimed', hint: expect.stringContaining('may exist') },
		]);
		expect(made()).toEqual(['a']);
		openTable('Video orders').rows = [];
		await order('a');
		expect(made()).toEqual(['a', 'a']);
	});

	it('An order that cannot be remembered is not carried out', async () => {
		interruptTables(1, () => {
			throw new Error('Data table size limit exceeded');
		});
		expect(await order('a')).toEqual([]);
		expect(made()).toEqual([]);
	});
});

test('A contact without a first name or an address costs no video', async () => {
	const result = await run('personal-video-for-contact', {
		'New contact': [1, 2, 3, 4, 5, 6].map((contactId) => ({ contactId })),
		'Get contact': [
			{ properties: { email: { value: 'a@example.com' } } },
			{ properties: { firstname: { value: ' ' }, email: { value: 'b@example.com' } } },
			{ properties: { firstname: { value: 'Cem' } } },
			{ properties: { firstname: { value: 'N/A' }, email: { value: 'c@example.com' } } },
			{ properties: { firstname: { value: 'TBD.' }, email: { value: 'e@example.com' } } },
			{ properties: { firstname: { value: '美咲' }, email: { value: 'd@example.com' } } },
		],
	});
	expect(studio.service.videos.map(({ script }) => script)).toEqual([
		'Hello 美咲, welcome! I look forward to working with you.',
	]);
	expect(result.sent('Get contact').map(({ contactId }) => contactId)).toMatchObject(
		[1, 2, 3, 4, 5, 6].map((value) => ({ value })),
	);
	expect(result.sent('Mail the video').map(({ sendTo }) => sendTo)).toEqual(['d@example.com']);
});

test.each([
	['video-from-form', { Form: [{ Title: 'Hi', Script: 'Hello', Language: 'en-GB' }] }],
	[
		'agent-with-human-review',
		{ Review: [{ Title: 'Hi', Script: 'Hello', Voice: 'Ryan', Decision: 'Create the video' }] },
	],
])(
	'The page of %s shows a video that plays, though its file comes later',
	async (file, answers) => {
		clock.run(50);
		studio.service.injectFault({ when: { host: 'files' }, status: 404, times: 2 });
		const result = await run(file, answers);
		const [page] = result.results('Show the video');
		const [, source] = /source src="([^"]+)/.exec(page!.completionMessage as string)!;
		expect((await fetch(source!)).status).toBe(200);
	},
);

test('A mail that could not be sent goes to a colleague, and the other contacts get theirs', async () => {
	const result = await run('personal-video-for-contact', {
		'New contact': [{ contactId: 1 }, { contactId: 2 }],
		'Get contact': [
			{ vid: 1, properties: ADA },
			{ vid: 2, properties: ADA },
		],
		'Mail the video': [new Error('Invalid address'), { id: '1' }],
	});
	expect(result.items('Mail the video').filter(({ id }) => id === '1')).toHaveLength(1);
	expect(result.sent('Mail a colleague').map(({ message }) => message)).toEqual([
		expect.stringMatching(/^The video http\S+ was created, but not sent: Invalid address$/),
	]);
});

test('A contact gets the video as a file, or a colleague hears that it is not there', async () => {
	clock.run(1000);
	studio.service.injectFault({ when: { host: 'files' }, status: 404, times: 2 });
	const result = await run('personal-video-for-contact');
	expect(result.sent('Mail the video')).toMatchObject([
		{ options: { attachmentsUi: { attachmentsBinary: [{ property: 'data' }] } } },
	]);
	expect(result.sent('Mail a colleague')).toEqual([]);

	studio.service.injectFault({ when: { host: 'files' }, status: 404 });
	clearTables();
	const late = await run('personal-video-for-contact');
	expect(late.sent('Mail the video')).toEqual([]);
	expect(late.sent('Mail a colleague')).toMatchObject([
		{
			message: expect.stringMatching(
				/^The video http\S+ was created, but not sent: The file could not/,
			),
		},
	]);
});

test('A contact that is gone is reported to a colleague, and the others get their video', async () => {
	const result = await run('personal-video-for-contact', {
		'New contact': [{ contactId: 1 }, { contactId: 2 }, { contactId: 3 }],
		'Get contact': [
			{ vid: 1, properties: ADA },
			new Error('contact does not exist'),
			{ vid: 3, properties: ADA },
		],
	});
	expect(studio.service.videos).toHaveLength(2);
	expect(result.sent('Mail the video')).toHaveLength(2);
	expect(result.sent('Mail a colleague')).toMatchObject([
		{ subject: 'Video for contact 2', message: 'contact does not exist' },
	]);
});

describe('A contact that HubSpot sends again', () => {
	const send = async (...ids: number[]) =>
		await runTemplate(studio, 'personal-video-for-contact', {
			'New contact': ids.map((contactId) => ({ contactId })),
			'Get contact': ({ contactId }) => [
				{ vid: (contactId as IDataObject).value, properties: ADA },
			],
		});
	const listContacts = () =>
		openTable('Greeted contacts').rows.map(({ contact, state, video }) => [contact, state, video]);

	it('costs no second video, and has one row that says what became of it', async () => {
		for (const ids of [[1, 2, 1], [2], [3, 1]]) await send(...ids);
		expect(studio.service.videos).toHaveLength(3);
		const { videos } = studio.service;
		expect(listContacts()).toEqual(
			['1', '2', '3'].map((contact): unknown[] => [contact, 'created', expect.any(String)]),
		);
		const listed = openTable('Greeted contacts').rows.map(({ video }) => video);
		expect(listed.sort()).toEqual(videos.map(({ id }) => id).sort());
	});

	it.each([1, 2, 3])('while its video is ordered costs no second one (%i)', async (operation) => {
		interruptTables(operation, async () => await send(1));
		await send(1);
		expect(studio.service.videos).toHaveLength(1);
		expect(listContacts()).toEqual([['1', 'created', studio.service.videos[0]!.id]]);
	});

	it('A video that failed leaves its reason', async () => {
		studio.service.injectFault({ status: 402, when: { method: 'POST' } });
		await send(1);
		expect(listContacts()).toEqual([['1', expect.stringContaining('402'), '']]);
	});

	it('A video that was interrupted is reported to a colleague every morning', async () => {
		interruptTables(3, () => {
			throw new Error('n8n was killed');
		});
		await send(1);
		await send(2);
		const report = async () => {
			const result = await run('personal-video-for-contact', { 'Every morning': [{}] });
			return result.sent('Mail a colleague');
		};
		expect(await report()).toEqual([]);
		for (const row of openTable('Greeted contacts').rows) row.createdAt = new Date(0);
		const mail = {
			subject: 'Video for contact 1',
			message: expect.stringContaining('may exist') as string,
		};
		expect(await report()).toMatchObject([mail]);
		expect(await report()).toMatchObject([mail]);
		await send(1);
		expect(studio.service.videos).toHaveLength(2);
	});
});

test.each(['speech-for-wordpress-post', 'personal-video-for-contact', 'video-from-webhook'])(
	'What %s tried with Dry Run is made once without it',
	async (file) => {
		await runTemplate(studio, file, {}, undefined, true);
		for (const count of [0, 1, 1]) {
			expect([...studio.service.videos, ...studio.service.speeches]).toHaveLength(count);
			await run(file);
		}
	},
);

test('An imported asset whose file takes a moment is downloaded', async () => {
	clock.run(100);
	const { id } = studio.service.assets[0]!;
	studio.service.injectFault({
		when: ({ method, path }) => method === 'GET' && path.startsWith('/v1/assets/'),
		body: { id, name: 'Copy' },
		times: 2,
	});
	const result = await run('import-and-download-asset');
	expect(result.items('All assets')).not.toEqual([]);
});

test('A row that is made at its second try keeps no reason of the first', async () => {
	const table = openTable('Videos to make');
	await table.insertRows([{ title: 'One', script: 'Hello' }]);
	studio.service.injectFault({ status: 402, times: 1, when: { method: 'POST' } });
	await run('videos-from-table');
	expect(table.rows).toMatchObject([{ note: expect.stringContaining('402') }]);
	table.rows[0]!.state = '';
	await run('videos-from-table');
	expect(table.rows).toMatchObject([{ state: 'done', note: '' }]);
});

test.each(['Title', 'Script', 'Language'])(
	'A row whose %s is an error or a placeholder of the sheet is not ready',
	async (field) => {
		const errors = [
			'N/A',
			'REF!',
			'VALUE!',
			'NAME?',
			'ERROR!',
			'DIV/0!',
			'NUM!',
			'NULL!',
			'SPILL!',
		];
		const blanks = ['\u200b', 'TBD', '[tbc]', 'To do.', '–', 'n/a', '?'];
		const cells = [...errors.map((error) => `#${error}`), ' Loading... ', ...blanks];
		const texts = [...cells, '#NumberOne', 'Value', 'Todo 2026'];
		const row = { Title: 'Welcome', Script: SCRIPT, Language: 'en-GB', State: '' };
		const rows = texts.map((text, index) => ({ ...row, row_number: index + 2, [field]: text }));
		const result = await run('video-from-google-sheet', { Rows: rows });
		expect(result.items('Ready')).toEqual(rows.slice(cells.length));
	},
);

test('A row whose State is blank is ready', async () => {
	const rows = ['', ' ', null, 'claimed'].map((state, index) => ({
		row_number: index + 2,
		Title: 'Welcome',
		Script: SCRIPT,
		Language: 'en-GB',
		State: state,
	}));
	const result = await run('video-from-google-sheet', { Rows: rows });
	expect(result.items('Ready')).toEqual(rows.slice(0, 3));
});

test('A post that uses the word "undefined" gets its audio', async () => {
	const result = await run('speech-for-wordpress-post', {
		'Latest posts': ['The law leaves the term undefined.', 'Another post.'].map((raw, index) => ({
			id: index + 1,
			link: `https://example.com/${index + 1}`,
			content: { rendered: `<p>${raw}</p>`, raw: `<p>${raw}</p>` },
			_links: { self: [{ href: `https://example.com/wp-json/wp/v2/posts/${index + 1}` }] },
		})),
	});
	expect(result.items('List without audio')).toEqual([]);
	expect(studio.service.speeches).toHaveLength(2);
});

test('Rows that another run has taken do not end the run before the others', async () => {
	const table = openTable('Videos to make');
	await table.insertRows(Array.from({ length: 30 }, () => ({ script: 'Hello there' })));
	interruptTables(2, () => {
		for (const row of table.rows.slice(0, 12)) row.state = 'claimed';
	});
	await run('videos-from-table');
	const titles = studio.service.videos.map(({ videoTitle }) => videoTitle);
	expect(titles.sort()).toEqual(
		table.rows
			.slice(12)
			.map(({ id }) => `Row ${id}: Untitled`)
			.sort(),
	);
	expect(table.rows.map(({ state }) => state)).toEqual([
		...Array<string>(12).fill('claimed'),
		...Array<string>(18).fill('done'),
	]);
});

test('An asset whose type the trigger could not find out is reported, and costs nothing', async () => {
	const result = await run('new-asset-to-video', {
		'New picture': [{ ...PICTURE, error: 'The type of the asset is not known.' }, { id: '8' }],
	});
	expect(result.items('Say what went wrong')).toEqual([
		{ message: 'The video about “Cat.png” was not created: The type of the asset is not known.' },
	]);
	// One without a name gets a script that says so.
	const script = 'There is something new to see: a picture. Have a look!';
	expect(studio.service.videos).toMatchObject([{ videoTitle: 'New: a picture', script }]);
});

describe('Rename assets by a rule', () => {
	const names: [name: string, renamed: string][] = [
		['ガイド ポスター', 'ガイド-ポスター'],
		['हिन्दी गीत', 'हिन्दी-गीत'],
		['می‌خواهم بروم', 'می‌خواهم-بروم'],
		['شُكْرًا', 'شُكْرًا'],
		['Größe  ÉTÉ_2026.PNG', 'größe-été-2026.png'],
		['e\u0301te\u0301', 'été'],
		['ﬁle ½ Ⅳ', 'ﬁle-½-ⅳ'],
		['İstanbul', 'i̇stanbul'],
		['👨‍👩‍👧 Family ❤️', 'family'],
		['My Photo (1).jpg', 'my-photo-1.jpg'],
		['Take 1. (final) .mp4', 'take-1.-final.mp4'],
		['🎬.png', '🎬.png'],
	];
	const setNames = (...listed: string[]) => {
		const { assets } = studio.service;
		const [model] = assets;
		const renamed = listed.map((name) => ({ ...model!, id: randomUUID(), name }));
		assets.splice(0, assets.length, ...renamed);
	};
	const getNames = () => studio.service.assets.map(({ name }) => name);

	it('Names keep their script, and a second run renames nothing', async () => {
		setNames(...names.map(([name]) => name));
		await run('rename-assets-on-schedule');
		expect(getNames()).toEqual(names.map(([, renamed]) => renamed));
		studio.service.requests.length = 0;
		await run('rename-assets-on-schedule');
		expect(studio.getRoutes().filter((route) => route.startsWith('PATCH'))).toEqual([]);
	});

	it('No two assets get the same name, and those left are reported', async () => {
		setNames('Intro', 'Team Photo', 'intro', 'TEAM_PHOTO', 'Outro');
		const result = await run('rename-assets-on-schedule');
		expect(getNames()).toEqual(['Intro', 'team-photo', 'intro', 'TEAM_PHOTO', 'outro']);
		expect(result.items('Report')).toMatchObject([
			{
				assets: 5,
				renamed: 2,
				failures: [
					'Intro: another asset is called intro',
					'TEAM_PHOTO: another asset is called team-photo',
				],
			},
		]);
	});

	it('An asset that may not be renamed is reported, and the others are renamed', async () => {
		const { id, name } = studio.service.assets[1]!;
		studio.service.injectFault({
			status: 403,
			when: { method: 'PATCH', path: `/v1/assets/${id}` },
		});
		const result = await run('rename-assets-on-schedule');
		const [report, ...more] = result.items('Report');
		expect(more).toEqual([]);
		expect(report).toMatchObject({ assets: 5, renamed: 4 });
		expect(report!.changes).toHaveLength(4);
		expect(report!.changes).not.toContainEqual(expect.stringContaining(name));
		expect(report!.failures).toEqual([
			expect.stringMatching(`^${name}: The account is not allowed to do this`),
		]);
	});

	it('Each line of the report names its own asset, whatever the service answers', async () => {
		setNames('A B', 'C D', 'E F');
		const path = `/v1/assets/${studio.service.assets[0]!.id}`;
		studio.service.injectFault({ body: [{ id: '1' }, { id: '2' }], when: { path } });
		const [report] = (await run('rename-assets-on-schedule')).items('Report');
		expect([...new Set(report!.changes as string[])]).toEqual([
			'A B → a-b',
			'C D → c-d',
			'E F → e-f',
		]);
	});

	it('Eight times the assets take about eight times as long', async () => {
		const measure = async (count: number) => {
			setNames(...Array.from({ length: count }, (_, index) => `asset-${index}`));
			const start = process.cpuUsage();
			await run('rename-assets-on-schedule');
			const { user, system } = process.cpuUsage(start);
			return user + system;
		};
		await measure(100);
		const few = await measure(200);
		expect(await measure(1600)).toBeLessThan(16 * few);
	}, 180_000);
});

describe('Spoken audio for WordPress', () => {
	const createPost = (id: number, rendered = `Text ${id}`, raw = rendered) => ({
		id,
		link: `https://example.com/blog/${id}/`,
		content: { raw, rendered },
		_links: { self: [{ href: `https://example.com/blog/wp-json/wp/v2/posts/${id}` }] },
	});
	const listPosts = () => openTable('Spoken posts').rows.map(({ post, state }) => [post, state]);

	it.each([
		['<h2>One</h2><p>Two<br>Three</p>', 'One\nTwo\nThree'],
		['<p>ガイド</p>', 'ガイド'],
		['<style>p > a {}</style><p>One</p><script async>var a = "</p>";</script >', 'One'],
		['<p>He wrote [sic] it, and [Anna] left.</p>', 'He wrote [sic] it, and [Anna] left.'],
	])('%j is read as %j', async (rendered, script) => {
		await run('speech-for-wordpress-post', {
			'Latest posts': [createPost(1, rendered)],
		});
		expect(studio.service.speeches).toMatchObject([{ script }]);
	});

	it('Readers hear what they see, and the post keeps its blocks', async () => {
		const raw = '<p>Prices:</p><!-- wp:block {"ref":12} /-->';
		const post = createPost(1, '<p>Prices:</p><p>Ten euros.</p>', raw);
		const result = await run('speech-for-wordpress-post', {
			'Read the post again': [post],
			'Latest posts': [
				post,
				createPost(2, '<p>Listen:</p><audio src="a.mp3"></audio>', '[audio src="a.mp3"]'),
			],
			'Upload the audio': [{ source_url: 'https://example.com/1.wav' }],
		});
		expect(studio.service.speeches).toMatchObject([{ script: 'Prices:\nTen euros.' }]);
		const content = `<audio controls src="https://example.com/1.wav"></audio>\n${raw}`;
		expect(result.sent('Embed the audio')).toMatchObject([
			{ bodyParameters: { parameters: [{ value: content }] } },
		]);
		// Also if the blog is in a folder.
		expect(result.sent('Upload the audio')).toMatchObject([
			{ url: 'https://example.com/blog/wp-json/wp/v2/media' },
		]);
	});

	it('A speech is paid for once, also if its file was not there and the workflow runs again', async () => {
		studio.service.configure({ speechResponse: 'id' });
		const listed = [];
		for (const posts of [[createPost(1)], [createPost(1), createPost(2)]]) {
			const result = await run('speech-for-wordpress-post', { 'Latest posts': posts });
			listed.push(result.items('List without audio'));
		}
		expect(studio.service.speeches.map(({ script }) => script)).toEqual(['Text 1', 'Text 2']);
		const reason = expect.stringMatching(
			/^The speech \S+ was created, but not embedded: The response contains no link/,
		) as string;
		const again = expect.stringMatching(/^Ordered before/) as string;
		expect(listed).toEqual([
			[{ post: createPost(1).link, reason }],
			[
				{ post: createPost(2).link, reason },
				{ post: createPost(1).link, reason: again },
			],
		]);
		expect(listPosts()).toEqual([
			['1', reason],
			['2', reason],
		]);
	});

	it('A post whose speech was interrupted is listed, and spoken again once its row is deleted', async () => {
		const speak = async () =>
			await runTemplate(studio, 'speech-for-wordpress-post', {
				'Latest posts': [createPost(1)],
				'Upload the audio': [{ source_url: 'https://example.com/1.wav' }],
				'Embed the audio': [{ id: 1, content: { raw: '<audio></audio>Text 1' } }],
			});
		interruptTables(3, () => {
			throw new Error('n8n was killed');
		});
		await speak();
		const result = await speak();
		expect(result.items('List without audio')).toEqual([
			{ post: createPost(1).link, reason: expect.stringMatching(/^Ordered before/) },
		]);
		expect(listPosts()).toEqual([['1', 'claimed']]);
		expect(studio.service.speeches).toHaveLength(1);
		openTable('Spoken posts').rows = [];
		await speak();
		expect(studio.service.speeches).toHaveLength(2);
		expect(listPosts()).toEqual([['1', 'spoken']]);
	});

	it('A run by hand beside the one of the morning pays for no speech twice', async () => {
		const speak = async () =>
			await run('speech-for-wordpress-post', { 'Latest posts': [createPost(1)] });
		interruptTables(2, speak);
		await speak();
		expect(studio.service.speeches).toHaveLength(1);
	});

	it('A post gets its audio, and one that has some is left alone', async () => {
		const result = await run('speech-for-wordpress-post');
		expect(studio.service.speeches).toHaveLength(1);
		expect(result.sent('Upload the audio')).toMatchObject([
			{
				file: expect.stringMatching(/\.wav$/),
				headerParameters: {
					parameters: [{ value: 'attachment; filename="post-11.wav"' }],
				},
			},
		]);
		expect(result.sent('Embed the audio')).toMatchObject([
			{
				bodyParameters: {
					parameters: [
						{
							value:
								'<audio controls src="https://blog.example.com/uploads/post-11.wav"></audio>\n<p>Welcome! It is good to have you here.</p>',
						},
					],
				},
			},
		]);
	});

	it('A post that is edited while its speech is made keeps what was edited', async () => {
		const result = await run('speech-for-wordpress-post', {
			'Read the post again': [{ id: 11, content: { raw: '<p>Edited.</p>' } }],
		});
		const value = expect.stringMatching(/^<audio [^>]+><\/audio>\n<p>Edited\.<\/p>$/) as string;
		expect(result.sent('Embed the audio')).toMatchObject([
			{ bodyParameters: { parameters: [{ value }] } },
		]);
	});

	it('A post without text, a speech without a link and a failed upload hold nobody up', async () => {
		studio.service.injectFault({ body: { error: '' }, times: 1, when: { path: '/v1/speech' } });
		const posts = [1, 2, 3, 4, 5].map((id) => createPost(id, id === 3 ? '<img>' : undefined));
		const result = await run('speech-for-wordpress-post', {
			'Latest posts': posts,
			'Upload the audio': [
				new Error('Too large'),
				{ source_url: 'https://example.com/4.wav' },
				{ id: 77 },
			],
		});
		expect(result.sent('Embed the audio')).toHaveLength(1);
		const problems = result.items('List without audio');
		expect(problems).toHaveLength(4);
		expect(problems).toEqual(
			expect.arrayContaining([
				{ post: posts[2]!.link, reason: expect.stringContaining('Script is empty') },
				{ post: expect.any(String), reason: expect.stringContaining('no link to a file') },
				{
					post: expect.any(String),
					reason: expect.stringMatching(
						/^The speech \S+ was created, but not embedded: Too large$/,
					),
				},
				{ post: expect.any(String), reason: 'WordPress returned no address of the audio' },
			]),
		);
	});
});

describe('Speech in Telegram', () => {
	const createMessage = (id: number, message: IDataObject = {}) => ({
		message: { chat: { id }, text: 'Hello there', from: { language_code: 'en' }, ...message },
	});

	it('A text is answered in its language, an unknown language with the reason', async () => {
		const result = await run('telegram-voice-reply');
		expect(studio.service.speeches).toMatchObject([
			{ script: 'Guten Morgen!', voiceId: expect.stringContaining('de-') },
		]);
		expect(result.sent('Reply with audio')).toMatchObject([
			{ chatId: 123456789, file: expect.stringMatching(/\.wav$/) },
		]);
		expect(result.sent('Reply with the reason')).toMatchObject([
			{ text: expect.stringContaining('tlh') },
		]);
	});

	it('A speech without a file is answered with the reason, and a command is not spoken', async () => {
		studio.service.configure({ speechResponse: 'id' });
		const texts = ['/start', '/help@a_bot', 'and/or'];
		const Message = texts.map((text) => createMessage(1, { text }));
		const result = await run('telegram-voice-reply', { Message });
		expect(studio.service.speeches.map(({ script }) => script)).toEqual(['and/or']);
		expect(result.sent('Reply with audio')).toEqual([]);
		expect(result.sent('Reply with the reason')).toMatchObject([
			{ chatId: 1, text: expect.stringContaining('no link to a file') },
		]);
	});

	it('A file that is not there at once is waited for, and no sender has to ask again', async () => {
		clock.run(50);
		studio.service.injectFault({ when: { host: 'files' }, status: 404, times: 2 });
		const result = await run('telegram-voice-reply', { Message: [createMessage(1)] });
		expect(result.sent('Reply with audio')).toHaveLength(1);
		expect(result.sent('Reply with the reason')).toEqual([]);
	});

	it('A failed item and a file that Telegram refuses hold nobody up, and are told', async () => {
		const { json } = await studio.run(createSpeech());
		const body = { ...json[0], message: 'Speech created' };
		studio.service.injectFault({ body, times: 1, when: { path: '/v1/speech' } });
		const result = await run('telegram-voice-reply', {
			Message: [
				createMessage(1),
				createMessage(2, { from: { language_code: '<x>' } }),
				createMessage(3, { from: undefined, text: 'Hello 👋 ガイド' }),
			],
			'Reply with audio': [new Error('Too Many Requests'), { ok: true }],
		});
		expect(result.items('Reply with audio')).toMatchObject([
			{ ok: true },
			{ error: 'Too Many Requests' },
		]);
		expect(result.sent('Reply with the reason')).toMatchObject([
			{
				chatId: 1,
				text: expect.stringMatching(/^The speech \S+ was created, but not sent: Too Many/),
			},
			{ chatId: 2, text: expect.stringContaining('&lt;x>') },
		]);
	});
});

describe('Speech in parts', () => {
	const split = async (text: string, maxLength = 12) => {
		await run('speech-in-parts', {
			'Long text': [{ text, language: 'en-GB', maxLength }],
		});
		return studio.service.speeches.map(({ script }) => script);
	};

	it.each([
		['こんにちは。元気ですか？はい！', ['こんにちは。元気ですか？', 'はい！']],
		['नमस्ते दोस्तों। आप कैसे हैं?', ['नमस्ते दोस्तों।', 'आप कैसे हैं?']],
		['مرحبا بكم. كيف حالكم؟ شكرا لكم.', ['مرحبا بكم.', 'كيف حالكم؟', 'شكرا لكم.']],
		['It costs 3.5 dollars. Or 4.', ['It costs 3.5 dollars.', 'Or 4.']],
		['… and on', ['… and on']],
		['...', ['...']],
		['One.\n\n \u200B\n\nTwo two two.\n\n', ['One.', 'Two two two.']],
	])('%s', async (text, parts) => {
		expect((await split(text)).sort()).toEqual([...parts].sort());
	});

	it('A part that fails does not cost the others', async () => {
		studio.service.injectFault({ status: 422, times: 1, when: { path: '/v1/speech' } });
		expect(await split('One sentence. Two sentences. Three.')).toHaveLength(2);
	});
});

test.each(['The Infinity pool', 'What NaN means', 'undefined: a novel'])(
	'A title that looks like a failed calculation is meant: %j',
	async (title) => {
		await run('video-from-rss', {
			'New article': [
				{
					link: 'https://example.com/1',
					title,
					contentSnippet: 'Come and see what we have built.',
				},
			],
			'Write the script': [{ text: 'Hello there' }],
		});
		const body = { orderId: 1, title, script: title };
		await run('video-from-webhook', { Webhook: [{ body }] });
		expect(studio.service.videos).toMatchObject([
			{ videoTitle: title },
			{ videoTitle: title, script: title },
		]);
	},
);

test('An article is made once, though a cache brings the feed of before or its date changes', async () => {
	const article = {
		guid: 1,
		link: 'https://example.com/1',
		title: 'One',
		summary: 'First.',
		isoDate: '2026-11-03',
	};
	const corrected = { ...article, isoDate: '2026-11-04' };
	const other = { guid: 2, link: 'https://example.com/2', title: 'Two', summary: 'Second.' };
	for (const articles of [[article], [article, other], [corrected]]) {
		const script = [{ text: 'Hello' }];
		await run('video-from-rss', { 'New article': articles, 'Write the script': script });
	}
	expect(studio.service.videos.map(({ videoTitle }) => videoTitle)).toStrictEqual(['One', 'Two']);
});

describe('With Dry Run, nothing counts as made:', () => {
	const dryRun = async (file: string, answers?: Answers) =>
		await runTemplate(studio, file, answers, undefined, true);

	it('rows of a table are made by the run after it', async () => {
		await openTable('Videos to make').insertRows([{ title: 'One', script: 'Hello' }]);
		await dryRun('videos-from-table');
		expect(studio.service.videos).toHaveLength(0);
		await run('videos-from-table');
		expect(studio.service.videos).toHaveLength(1);
	});

	it.each<[file: string, node: string, answers: Answers]>([
		['new-asset-to-video', 'Say what is made', { 'New picture': [{ id: '7', name: 'Cat.png' }] }],
		['personal-video-for-contact', 'Mail a colleague', {}],
		['speech-for-wordpress-post', 'List without audio', {}],
		['video-after-slack-approval', 'Post the video', {}],
		['video-from-google-sheet', 'Write the video', {}],
		['video-from-rss', 'List the video', { 'Write the script': [{ text: 'Hello' }] }],
		['video-in-five-languages', 'List of videos', { Translate: [{ text: 'Hello' }] }],
	])('%s says so', async (file, node, answers) => {
		const result = await dryRun(file, answers);
		expect(studio.service.videos.length + studio.service.speeches.length).toBe(0);
		const said = JSON.stringify(result.results(node));
		expect(said).toMatch(/Dry Run|would be created|"State":""/);
		expect(said).not.toMatch(/is being created|returned no address|"(?:state|State)":"created"/);
	});
});

describe('One failing item among several', () => {
	it('An article without a title, one without a script and one that is only a title', async () => {
		const result = await run('video-from-rss', {
			'New article': [
				{ link: 'https://example.com/1', summary: 'One.' },
				{ link: 'https://example.com/2', title: 'Two', contentSnippet: 'Two.' },
				{ link: 'https://example.com/3', title: 'Three little words', summary: 'Comments' },
			],
			'Write the script': [
				{ text: 'Hello there' },
				new Error('The model is overloaded'),
				{ text: 'Nothing.' },
			],
		});
		expect(studio.service.videos).toMatchObject([{ videoTitle: 'https://example.com/1' }]);
		const states = result.items('List the video').map(({ article, state }) => [article, state]);
		expect(Object.fromEntries(states)).toEqual({
			'https://example.com/1': 'created',
			'https://example.com/2': 'The model is overloaded',
			'https://example.com/3': expect.stringContaining('Script is empty'),
		});
	});

	it('Articles with a subtitle beside their text, and one that is only a photo', async () => {
		const snippet = 'We measured for ten years what a team gains.';
		const result = await run('video-from-rss', {
			'New article': [
				{ title: 'Why I wrote', contentSnippet: 'Notes', 'content:encodedSnippet': snippet },
				{ title: 'Why we did', contentSnippet: snippet, summary: '<b>Notes</b>' },
				{ title: 'A photo', summary: '<img src="https://example.com/photo.jpg">' },
			],
			'Write the script': Array.from({ length: 3 }, () => ({ text: 'Hello there' })),
		});
		expect(studio.service.videos).toHaveLength(2);
		for (const { text } of result.sent('Write the script').slice(0, 2)) {
			expect(text).toContain(`\n\n${snippet}`);
		}
	});

	it('A language without a voice, and one that was not translated', async () => {
		studio.service.voices = studio.service.voices.filter(
			({ languageCode }) => languageCode !== 'de-DE',
		);
		const text = { text: 'ガイド' };
		const result = await run('video-in-five-languages', {
			Translate: [text, text, new Error('The model is overloaded'), text, text],
		});
		const states = result.items('List of videos').map(({ language, state }) => [language, state]);
		expect(Object.fromEntries(states)).toEqual({
			English: 'created',
			German: expect.stringContaining('No voice speaks'),
			Spanish: 'The model is overloaded',
			French: 'created',
			Italian: 'created',
		});
	});
});

test('An asset is imported as what it is, with a name if it has none', async () => {
	studio.service.assets[2]!.name = '';
	studio.service.assets.splice(0, 2);
	await run('import-and-download-asset');
	expect(studio.service.assets.at(-1)).toMatchObject({ name: 'Copy of an asset', type: 'Video' });
});
