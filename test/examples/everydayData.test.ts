import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { readExamples } from '../../n8n/examples';
import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { useStudio } from '../support/studio';

import { addRow, clearTables, interruptTables, openTable } from './dataTables';
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

const containing = (text: string) => expect.stringContaining(text) as string;
const SCRIPT = 'Hello there';
const FORM = { Title: 'Welcome', Script: SCRIPT, Language: 'en-GB' };
const ROW = { ...FORM, row_number: 2, State: 'ready' };
const ARTICLE = { guid: '1', link: 'https://example.com/1', title: 'One', contentSnippet: 'News' };
const UNPAID: Fault = { status: 402, when: { method: 'POST' } };
const LOST: Fault = {
	when: { method: 'POST' },
	disconnect: 'beforeResponse',
	afterEffect: true,
};

const createMessage = (text?: string, language?: string) => ({
	message: { chat: { id: 1 }, text, from: { language_code: language } },
});

/** A record that a template gets, and what is made of it. */
interface Case {
	answers?: Answers;
	fault?: Fault;
	/** The videos and speeches that exist afterwards. */
	made?: IDataObject[];
	/** What its nodes sent to other services or, if they send nothing, returned. */
	told?: Record<string, IDataObject[]>;
}

const templates: Record<string, Record<string, Case>> = {
	'video-from-form': {
		usual: {
			answers: { Form: [FORM] },
			made: [{ videoTitle: 'Welcome', script: SCRIPT, voiceId: containing('en-GB') }],
			told: { 'Show the video': [{ completionMessage: containing('<source src="http') }] },
		},
		empty: {
			answers: { Form: [{ ...FORM, Script: ' ' }] },
			told: { 'Show the reason': [{ completionMessage: containing('Script is empty') }] },
		},
		'without a response': {
			answers: { Form: [FORM] },
			fault: LOST,
			made: [{}],
			told: { 'Show the reason': [{ completionTitle: 'The video may have been created' }] },
		},
	},
	'video-from-webhook': {
		usual: {
			made: [{ script: 'Hello!', voiceId: 'au-en-GB-ryan' }],
			told: { 'Send the video': [{ responseBody: { video: { id: expect.any(String) } } }] },
		},
		empty: {
			answers: { Webhook: [{ body: {} }] },
			told: { 'Send the reason': [{ options: { responseCode: 422 } }] },
		},
		'with a script that is no text': {
			answers: { Webhook: [{ body: { orderId: 7, script: { text: 'Hello' } } }] },
			told: { 'Send the reason': [{ responseBody: { error: containing('Script') } }] },
		},
		'without a response': {
			fault: LOST,
			made: [{}],
			told: { 'Send the reason': [{ options: { responseCode: 202 } }] },
		},
	},
	'videos-from-table': { empty: { told: { 'Create video': [] } } },
	'video-from-google-sheet': {
		usual: {
			made: [{ videoTitle: 'Welcome', voiceId: containing('en-GB') }],
			told: {
				'Claim row': [{ columns: { value: { row_number: 2, State: 'claimed' } } }],
				'Write the video': [{ columns: { value: { Order: '1-2', State: 'created' } } }],
			},
		},
		empty: {
			answers: { Rows: [{}, { ...ROW, State: 'created' }, { ...ROW, State: '' }] },
			told: { 'Claim row': [], 'Write the reason': [] },
		},
		'without a script': {
			answers: { Rows: [{ ...ROW, State: 'Ready', Script: '' }] },
			told: { 'Write the reason': [{ columns: { value: { State: containing('Script') } } }] },
		},
	},
	'video-from-rss': {
		usual: {
			answers: { 'Write the script': [{ text: SCRIPT }] },
			made: [{ videoTitle: 'Opening hours in winter', script: SCRIPT }],
			told: {
				'Write the script': [{ text: containing('From November to March we are open') }],
				'List the video': [{ article: 'https://example.com/opening-hours' }],
			},
		},
		empty: {
			answers: { 'New article': [{ link: 'https://example.com' }], 'Write the script': [{}] },
			told: { 'List the video': [{ reason: containing('Script is empty') }] },
		},
		'of which the model reads only one': {
			answers: {
				'New article': [ARTICLE, { ...ARTICLE, guid: '2', title: 'Two' }],
				'Write the script': [new Error('The model is overloaded'), { text: SCRIPT }],
			},
			made: [{ videoTitle: 'Two', script: SCRIPT }],
			told: {
				'List the video': [{ reason: 'The model is overloaded' }, { video: expect.any(String) }],
			},
		},
	},
	'video-after-slack-approval': {
		usual: {
			made: [{ videoTitle: 'Welcome' }],
			told: {
				'Ask in Slack': [{ message: containing('Welcome! It is good to have you here.') }],
				'Post the video': [{ text: containing('“Welcome” was created: http') }],
			},
		},
		declined: {
			answers: { 'Ask in Slack': [{ data: { approved: false } }] },
			told: { 'Post the video': [], 'Post the reason': [] },
		},
		'that is not paid for': {
			fault: UNPAID,
			told: { 'Post the reason': [{ text: containing('“Welcome”: ') }] },
		},
	},
	'video-in-five-languages': {
		usual: {
			answers: { Translate: ['One', 'Zwei', 'Tres', 'Quatre', 'Cinque'].map((text) => ({ text })) },
			made: [
				{ script: 'One', voiceId: containing('en-GB') },
				{ script: 'Zwei', voiceId: containing('de-DE') },
				{ script: 'Tres', voiceId: containing('es-ES') },
				{ script: 'Quatre', voiceId: containing('fr-FR') },
				{ script: 'Cinque', voiceId: containing('it-IT') },
			],
		},
		empty: {
			answers: { Translate: [{ text: '' }] },
			told: { 'List of videos': Array(5).fill({ reason: containing('Script is empty') }) },
		},
		'with one that is not translated': {
			answers: {
				Translate: [new Error('Overloaded'), ...Array<IDataObject>(4).fill({ text: '2' })],
			},
			made: Array<IDataObject>(4).fill({ script: '2' }),
		},
	},
	'telegram-voice-reply': {
		usual: {
			made: [{ script: 'Guten Morgen!', voiceId: containing('de-') }],
			told: {
				'Reply with audio': [{ chatId: 123456789, file: expect.stringMatching(/\.wav$/) }],
				'Reply with the reason': [],
			},
		},
		'empty or a command': {
			answers: { Message: [createMessage(), createMessage('/start')] },
			told: { 'Reply with audio': [], 'Reply with the reason': [] },
		},
		'in a language without a voice': {
			answers: { Message: [createMessage('nuqneH', 'tlh')] },
			told: { 'Reply with the reason': [{ chatId: 1, text: containing('tlh') }] },
		},
		'with a file that does not come': {
			fault: { status: 404, when: { host: 'files' } },
			made: [{ script: 'Guten Morgen!' }],
			told: { 'Reply with the reason': [{ text: containing('could not be downloaded') }] },
		},
		'with a file that Telegram refuses': {
			answers: { 'Reply with audio': [new Error('Too large')] },
			made: [{ script: 'Guten Morgen!' }],
			told: { 'Reply with the reason': [{ text: 'Too large' }] },
		},
	},
	'new-asset-to-video': {
		usual: {
			answers: { 'New picture': [{ id: '7', name: 'Cat.png' }] },
			made: [{ script: containing('new to see: Cat.png.') }],
		},
		'without a name': {
			answers: { 'New picture': [{ id: '7' }] },
			made: [{ script: containing('new to see: a picture.') }],
		},
		'that is not paid for': {
			answers: { 'New picture': [{ id: '7', name: 'Cat.png' }] },
			fault: UNPAID,
			told: { 'Tell your team': [{ message: containing('Cat.png: ') }] },
		},
	},
};

const cases = Object.entries(templates).flatMap(([file, records]) =>
	Object.entries(records).map(([record, rest]) => ({ file, record, ...rest })),
);

test.each(cases)(
	'$file: a record that is $record',
	async ({ file, answers, fault, made = [], told = {} }) => {
		clock.run();
		if (fault) studio.service.injectFault(fault);
		const result = await run(file, answers);
		const created = [...studio.service.videos, ...studio.service.speeches];
		expect(created).toHaveLength(made.length);
		for (const record of made) expect(created).toContainEqual(expect.objectContaining(record));
		for (const [node, texts] of Object.entries(told)) {
			const sent = result.sent(node);
			expect(sent.length > 0 ? sent : result.items(node)).toMatchObject(texts);
		}
	},
);

test('Rows of a table become videos, each once, and the others say why not', async () => {
	addRow('Videos to make', { title: 'One', script: SCRIPT });
	addRow('Videos to make', { title: 'Two', script: '' });
	addRow('Videos to make', { title: 'Three', script: SCRIPT, state: 'claimed' });
	addRow('Videos to make', { title: 'Four', script: SCRIPT, state: '' });
	await run('videos-from-table');
	await run('videos-from-table');
	const titles = studio.service.videos.map(({ videoTitle }) => videoTitle);
	expect(titles.sort()).toEqual(['Row 1: One', 'Row 4: Four']);
	expect(openTable('Videos to make')).toMatchObject([
		{ state: 'done', video: expect.any(String) },
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
	await run('videos-from-table');
	expect(studio.service.videos).toHaveLength(18);
});

describe('An order of the webhook that is repeated', () => {
	const order = async (orderId: unknown) => {
		const result = await runTemplate(studio, 'video-from-webhook', {
			Webhook: [{ body: { orderId, script: SCRIPT } }],
		});
		return ['Send the video', 'Say that it was ordered'].flatMap((node) => result.sent(node));
	};

	it.each([1, 2, 3])('at the same moment is paid once (%i)', async (operation) => {
		interruptTables(operation, async () => await order(7));
		await order('7');
		expect(studio.service.videos).toHaveLength(1);
		const { id } = studio.service.videos[0]!;
		expect(openTable('Video orders')).toMatchObject([{ state: 'created', video: id }]);
		expect(await order('7')).toMatchObject([{ responseBody: { state: 'created', video: id } }]);
	});

	it('after a crash is not carried out until its row is deleted', async () => {
		interruptTables(3, () => {
			throw new Error('n8n was killed');
		});
		await order('7');
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

test('An article is made once, though its date changes', async () => {
	for (const isoDate of ['2026-11-03', '2026-11-04']) {
		const answers = { 'New article': [{ ...ARTICLE, isoDate }] };
		await run('video-from-rss', { ...answers, 'Write the script': [{ text: SCRIPT }] });
	}
	expect(studio.service.videos).toHaveLength(1);
});

test('An agent finds a voice and creates a video, and reads why it cannot', async () => {
	const { nodes } = readExamples().find(({ file }) => file === 'agent-makes-video')!;
	const call = async (tool: string, args: IDataObject) => {
		const { parameters } = nodes.find(({ name }) => name === tool)!;
		return await studio.call(parameters as INodeParameters, [args]);
	};
	expect(await call('Find voices', { search: 'en-GB' })).toEqual([containing('au-en-GB-ryan')]);
	const video = { title: 'Welcome', script: SCRIPT, voice_id: 'au-en-GB-ryan' };
	expect(await call('Create video', { ...video, script: '' })).toEqual([containing('Script')]);
	expect(studio.service.videos).toEqual([]);
	await call('Create video', video);
	expect(studio.service.videos).toMatchObject([{ videoTitle: 'Welcome', script: SCRIPT }]);
});
