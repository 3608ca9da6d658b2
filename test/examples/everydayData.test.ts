import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { readExamples } from '../../n8n/examples';
import type { RenderingOptions } from '../../service/rendering';
import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { useStudio } from '../support/studio';

import { addRow, clearTables, interruptTables, openTable } from './dataTables';
import { runTemplate, type Answers } from './runTemplate';

const studio = useStudio({
	asSpecified: false,
	speechResponse: 'link',
	// The address of n8n in these tests leads nowhere.
	rendering: { callbacks: 0 },
});
useClock({ runs: true });

beforeEach(clearTables);

const containing = (text: string) => expect.stringContaining(text) as string;
const SCRIPT = 'Hello there';
const FORM = { Title: 'Welcome', Script: SCRIPT, Language: 'en-GB' };
const ROW = { ...FORM, row_number: 2, State: 'ready' };
const ARTICLE = { guid: '1', link: 'https://example.com/1', title: 'One', contentSnippet: 'News' };
const LANGUAGES = ['en-GB', 'de-DE', 'es-ES', 'fr-FR', 'it-IT'];
const UNPAID: Fault = { status: 402, when: { method: 'POST' } };
const LOST: Fault = { when: { method: 'POST' }, disconnect: 'beforeResponse', afterEffect: true };

const FINISHED = { id: expect.any(String), finished: true, fileUrl: containing('/rendered/') };
const WRONG = { error: containing('Script') };
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/) as string;
const ACCEPTED = { options: { responseCode: 202 } };
const REFUSED = { options: { responseCode: 422 } };

const createMessage = (text?: string, language?: string) => ({
	message: { chat: { id: 1 }, text, from: { language_code: language } },
});

/** A record that a template gets, and what is made of it. */
interface Case {
	answers?: Answers;
	fault?: Fault;
	rendering?: RenderingOptions;
	/** The videos and speeches that exist afterwards. */
	made?: IDataObject[];
	/** What its nodes sent to other services, or returned. */
	told?: Record<string, IDataObject[]>;
}

const templates: Record<string, Record<string, Case>> = {
	'video-from-form': {
		'shows the video': {
			answers: { Form: [FORM] },
			made: [{ videoTitle: 'Welcome', script: SCRIPT, voiceId: containing('en-GB') }],
			told: { 'Show the video': [{ completionMessage: containing('<source src="http') }] },
		},
		'says that the video may have been created if there was no response': {
			answers: { Form: [FORM] },
			fault: LOST,
			made: [{}],
			told: { 'Show the reason': [{ completionTitle: 'The video may have been created' }] },
		},
	},
	'video-by-callback': {
		'hands on the finished video although nobody calls back': {
			made: [{ callbackUrl: containing('/webhook-waiting/execution') }],
			told: { 'Get video': [FINISHED] },
		},
	},
	'video-from-webhook': {
		'responds with the finished video': {
			made: [{ script: 'Hello!', voiceId: 'en-GB-RyanNeural' }],
			told: { 'Send the video': [{ responseBody: { video: FINISHED } }] },
		},
		'says what is wrong with a script that is no text': {
			answers: { Webhook: [{ body: { orderId: 7, script: { text: 'Hello' } } }] },
			told: { 'Send the reason': [{ responseBody: WRONG, ...REFUSED }] },
		},
		'says that the video may exist if there was no response': {
			fault: LOST,
			made: [{}],
			told: { 'Send the reason': [{ responseBody: { video: undefined }, ...ACCEPTED }] },
		},
		'responds with the ID of a video that is not finished in time': {
			rendering: { seconds: Infinity },
			made: [{}],
			told: {
				'Send the reason': [{ responseBody: { code: 'notFinished', video: UUID }, ...ACCEPTED }],
				'Note the result': [{ state: containing('not finished'), video: UUID }],
			},
		},
		'says why there is no video if its rendering failed': {
			rendering: { failure: 'Moderated' },
			made: [{}],
			told: {
				'Send the reason': [
					{ responseBody: { error: containing('Moderated'), video: UUID }, ...REFUSED },
				],
			},
		},
	},
	'videos-from-table': { 'makes nothing of an empty table': { told: { 'Create video': [] } } },
	'video-from-google-sheet': {
		'claims a row, and writes the video into it': {
			made: [{ videoTitle: 'Welcome', voiceId: containing('en-GB') }],
			told: {
				'Claim row': [{ columns: { value: { row_number: 2, State: 'claimed' } } }],
				'Write the video': [
					{ columns: { value: { Order: '1-2', State: 'created', Link: FINISHED.fileUrl } } },
				],
			},
		},
		'makes nothing of rows that are not ready': {
			answers: { Rows: [{}, { ...ROW, State: 'created' }, { ...ROW, State: '' }] },
			told: { 'Claim row': [], 'Write the reason': [] },
		},
		'writes into a row why there is no video': {
			answers: { Rows: [{ ...ROW, State: 'Ready', Script: '' }] },
			told: { 'Write the reason': [{ columns: { value: { State: containing('Script') } } }] },
		},
	},
	'video-from-rss': {
		'makes a video about an article': {
			answers: { 'Write the script': [{ text: SCRIPT }] },
			made: [{ videoTitle: 'Opening hours in winter', script: SCRIPT }],
			told: {
				'Write the script': [{ text: containing('From November to March we are open') }],
				'List the video': [
					{ article: 'https://example.com/opening-hours', link: FINISHED.fileUrl },
				],
			},
		},
		'lists why there is no video if the model wrote no script': {
			answers: {
				'New article': [ARTICLE, { link: ARTICLE.link }, { ...ARTICLE, guid: '3', title: 'Three' }],
				'Write the script': [new Error('The model is overloaded'), {}, { text: SCRIPT }],
			},
			made: [{ videoTitle: 'Three', script: SCRIPT }],
			told: {
				// What is new does not depend on the date, which changes.
				'Not seen before': [{ dedupeValue: '1' }, { dedupeValue: ARTICLE.link }, {}],
				'List the video': [
					{ reason: 'The model is overloaded' },
					{ reason: containing('Script is empty') },
					{ video: expect.any(String) },
				],
			},
		},
	},
	'video-after-slack-approval': {
		'asks, and posts the video': {
			made: [{ videoTitle: 'Welcome' }],
			told: {
				'Ask in Slack': [{ message: containing('Welcome! It is good to have you here.') }],
				'Post the video': [{ text: containing('“Welcome” is finished: http') }],
			},
		},
		'makes nothing if it is declined': {
			answers: { 'Ask in Slack': [{ data: { approved: false } }] },
			told: { 'Post the video': [], 'Post the reason': [] },
		},
		'posts why there is no video': {
			fault: UNPAID,
			told: { 'Post the reason': [{ text: containing('“Welcome”: ') }] },
		},
	},
	'video-in-five-languages': {
		'makes a video in each language': {
			answers: { Translate: LANGUAGES.map((code) => ({ text: `In ${code}` })) },
			made: LANGUAGES.map((code) => ({ script: `In ${code}`, voiceId: containing(code) })),
		},
		'lists why there is no video in a language without a translation': {
			answers: { Translate: [new Error('Overloaded'), { text: 'Zwei' }, {}, {}, {}] },
			made: [{ script: 'Zwei' }],
			told: {
				'List of videos': [
					{ language: 'English', reason: 'Overloaded' },
					{ language: 'Spanish', reason: containing('Script is empty') },
					{ language: 'French' },
					{ language: 'Italian' },
					{ language: 'German', script: 'Zwei', video: expect.any(String), link: FINISHED.fileUrl },
				],
			},
		},
	},
	'telegram-voice-reply': {
		'replies with audio in the language of the sender': {
			made: [{ script: 'Guten Morgen!', voiceId: containing('de-') }],
			told: {
				'Reply with audio': [{ chatId: 123456789, file: expect.stringMatching(/\.wav$/) }],
				'Reply with the reason': [],
			},
		},
		'ignores a message without text, and a command': {
			answers: { Message: [createMessage(), createMessage('/start')] },
			told: { 'Reply with audio': [], 'Reply with the reason': [] },
		},
		'says that a language has no voice': {
			answers: { Message: [createMessage('nuqneH', 'tlh')] },
			told: { 'Reply with the reason': [{ chatId: 1, text: containing('tlh') }] },
		},
		'says that the file did not come': {
			fault: { status: 404, when: { host: 'files' } },
			made: [{ script: 'Guten Morgen!' }],
			told: { 'Reply with the reason': [{ text: containing('could not be downloaded') }] },
		},
		'says why Telegram refused the file': {
			answers: { 'Reply with audio': [new Error('Too large')] },
			made: [{ script: 'Guten Morgen!' }],
			told: { 'Reply with the reason': [{ text: 'Too large' }] },
		},
	},
	'new-asset-to-video': {
		'makes a video about each picture, with or without a name': {
			answers: { 'New picture': [{ id: '7', name: 'Cat.png' }, { id: '8' }] },
			made: ['Cat.png.', 'a picture.'].map((it) => ({ script: containing(`new to see: ${it}`) })),
			told: { 'Tell your team': [{ message: containing('Cat.png: http') }, {}] },
		},
		'tells the team why there is no video': {
			answers: { 'New picture': [{ id: '7', name: 'Cat.png' }] },
			fault: UNPAID,
			told: { 'Tell your team': [{ message: containing('Cat.png: ') }] },
		},
	},
};

const cases = Object.entries(templates).flatMap(([file, promises]) =>
	Object.entries(promises).map(([promise, rest]) => ({ file, promise, ...rest })),
);

test.each(cases)(
	'The template $file $promise',
	async ({ file, answers, fault, rendering, made = [], told = {} }) => {
		if (rendering) studio.service.configure({ rendering });
		if (fault) studio.service.injectFault(fault);
		const tell = await runTemplate(studio, file, answers);
		const created = [...studio.service.videos, ...studio.service.speeches];
		expect(created).toHaveLength(made.length);
		for (const record of made) expect(created).toContainEqual(expect.objectContaining(record));
		for (const [node, texts] of Object.entries(told)) expect(tell(node)).toMatchObject(texts);
	},
);

test('Rows of a table become videos, each once, and the others say why not', async () => {
	addRow('Videos to make', { title: 'One', script: SCRIPT });
	addRow('Videos to make', { title: 'Two', script: '' });
	addRow('Videos to make', { title: 'Three', script: SCRIPT, state: 'claimed' });
	addRow('Videos to make', { title: 'Four', script: SCRIPT, state: '' });
	await runTemplate(studio, 'videos-from-table');
	await runTemplate(studio, 'videos-from-table');
	const titles = studio.service.videos.map(({ videoTitle }) => videoTitle);
	expect(titles.sort()).toEqual(['Row 1: One', 'Row 4: Four']);
	expect(openTable('Videos to make')).toMatchObject([
		{ state: 'done', video: expect.any(String), link: FINISHED.fileUrl, note: '' },
		{ state: 'claimed', note: containing('Script is empty') },
		{ state: 'claimed' },
		{ state: 'done' },
	]);
});

test('Rows that another run has taken do not end the run before the others', async () => {
	for (let row = 1; row <= 30; row += 1) {
		addRow('Videos to make', { title: 'Welcome', script: SCRIPT });
	}
	interruptTables(2, () => {
		for (const row of openTable('Videos to make').slice(0, 12)) row.state = 'claimed';
	});
	await runTemplate(studio, 'videos-from-table');
	expect(studio.service.videos).toHaveLength(18);
});

test('Rows whose videos were rendered when n8n was killed say which execution it was', async () => {
	addRow('Videos to make', { title: 'One', script: SCRIPT });
	addRow('Videos to make', { title: 'Two', script: SCRIPT });
	// It reads the table, claims both rows, and would mark the first one.
	interruptTables(4, () => {
		throw new Error('n8n was killed');
	});
	await expect(runTemplate(studio, 'videos-from-table')).rejects.toThrow('n8n was killed');
	await runTemplate(studio, 'videos-from-table');
	expect(studio.service.videos).toHaveLength(2);
	const claimed = { state: 'claimed', note: expect.stringMatching(/^Claimed by execution \w+$/) };
	expect(openTable('Videos to make')).toMatchObject([claimed, claimed]);
});

describe('An order of the webhook that is repeated', () => {
	const order = async (orderId: unknown) => {
		const Webhook = [{ body: { orderId, script: SCRIPT } }];
		const tell = await runTemplate(studio, 'video-from-webhook', { Webhook });
		return tell('Say that it was ordered');
	};

	it.each([1, 2, 3])('at the same moment is paid once (%i)', async (operation) => {
		interruptTables(operation, async () => await order(7));
		await order('7');
		expect(studio.service.videos).toHaveLength(1);
		const { id } = studio.service.videos[0]!;
		const noted = { state: 'created', video: id, link: FINISHED.fileUrl };
		expect(openTable('Video orders')).toMatchObject([noted]);
		expect(await order('7')).toMatchObject([{ responseBody: noted }]);
	});

	it('after a crash is not carried out until its row is deleted', async () => {
		interruptTables(3, () => {
			throw new Error('n8n was killed');
		});
		await expect(order('7')).rejects.toThrow('n8n was killed');
		expect(await order('7')).toMatchObject([{ responseBody: { state: 'claimed' } }]);
		clearTables();
		await order('7');
		expect(studio.service.videos).toHaveLength(2);
	});

	it('without an ID is one of its own', async () => {
		await order(undefined);
		expect(openTable('Video orders')).toMatchObject([{ order: containing('run ') }]);
	});
});

describe('Videos that are looked up from time to time', () => {
	const threeItems = { 'Start by hand': [{}, {}, {}] };

	it('are listed once each is finished, or has failed', async () => {
		const getIndex = () => studio.service.videos.length;
		const seconds = () => [3, 100, 200][getIndex()]!;
		const failure = () => (getIndex() === 1 ? 'Moderated' : undefined);
		studio.service.configure({ rendering: { seconds, failure } });
		const tell = await runTemplate(studio, 'video-looked-up-later', threeItems);
		const [first, second, third] = studio.service.videos;
		expect(tell('List the video')).toMatchObject([
			{ video: first!.id, link: first!.videoUrl, reason: undefined },
			{ video: second!.id, link: '', reason: containing('Moderated') },
			{ video: third!.id, link: third!.videoUrl, reason: undefined },
		]);
	});

	it('end the execution with an error that names them if they are not finished in time', async () => {
		studio.service.configure({ rendering: { seconds: Infinity } });
		const run = runTemplate(studio, 'video-looked-up-later', threeItems);
		const message = await run.catch((error: Error) => error.message);
		const ids = studio.service.videos.map(({ id }) => id).join(', ');
		expect(message).toBe(`Not finished after 30 rounds: ${ids}. Video: Get finds them later.`);
	});
});

test('An agent reads why it cannot create a video, creates it, and waits for it', async () => {
	const { nodes } = readExamples().find(({ file }) => file === 'agent-makes-video')!;
	const call = async (tool: string, calls: IDataObject[]) => {
		const { parameters } = nodes.find(({ name }) => name === tool)!;
		return await studio.call(parameters as INodeParameters, calls);
	};
	const video = { title: 'Welcome', script: SCRIPT, voice_id: 'en-GB-RyanNeural' };
	const [refused] = await call('Create video', [{ ...video, script: '' }, video]);
	expect(refused).toContain('Script');
	expect(studio.service.videos).toMatchObject([{ videoTitle: 'Welcome', script: SCRIPT }]);
	const [finished] = await call('Get video', [{ video_id: studio.service.videos[0]!.id }]);
	expect(JSON.parse(finished!)).toMatchObject([FINISHED]);
});
