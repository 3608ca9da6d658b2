import assert from 'node:assert/strict';

import type { Execution } from '../execution';

import { assertRan, type Context } from './context';
import { replaceAccounts } from './standIns';

export async function videoFromGoogleSheet(context: Context): Promise<string> {
	const { workflow, n8n, service } = context;
	await replaceAccounts(context);
	const run = await n8n.runWorkflow(workflow.id, 'New row');
	assertRan(run, ['New row', 'Create video', 'Write the video', 'Write the reason']);
	const [video, ...more] = service.videos;
	assert(video && more.length === 0, `${service.videos.length} videos were made, not 1`);
	const { columns } = getSent(run, 'Write the video');
	const { row_number: row, Video } = (columns as { value: Record<string, unknown> }).value;
	assert(String(row) === '2' && Video === video.id, `the sheet got ${JSON.stringify(columns)}`);
	const reason = getSent(run, 'Write the reason');
	assert(JSON.stringify(reason).includes('Script'), `the sheet got ${JSON.stringify(reason)}`);
	return `row 2 names video ${video.id}, row 3 says why there is none`;
}

export async function videoFromRss({ workflow, n8n, service, model }: Context): Promise<string> {
	let prompt = '';
	model.play((_answers, conversation) => {
		prompt = conversation.prompt;
		return 'Our winter hours have changed.';
	});
	const run = await n8n.runWorkflow(workflow.id, 'New article');
	assertRan(run, ['New article', 'Write the script', 'Create video', 'List the video']);
	const [article] = run.items['New article']!;
	assert(prompt.includes(String(article?.contentSnippet)), `the model read "${prompt}"`);
	const [video, ...more] = service.videos;
	assert(video && more.length === 0, `${service.videos.length} videos were made, not 1`);
	assert(
		video.videoTitle === article?.title && video.script === 'Our winter hours have changed.',
		`the video is ${JSON.stringify(video)}`,
	);
	const [listed] = run.items['List the video']!;
	assert(
		listed?.article === article?.link && listed?.video === video.id,
		`the list says ${JSON.stringify(listed)}`,
	);
	return `the model's script about "${String(article?.title)}" became video ${video.id}`;
}

export async function speechForWordPressPost(context: Context): Promise<string> {
	const { workflow, n8n, service } = context;
	await replaceAccounts(context);
	const run = await n8n.runWorkflow(workflow.id, 'Every morning');
	assertRan(run, ['Every morning', 'Without audio', 'Create speech', 'Embed the audio']);
	const [speech, ...more] = service.speeches;
	assert(speech && more.length === 0, `${service.speeches.length} speeches were made, not 1`);
	assert(
		speech.script === 'Welcome! It is good to have you here.',
		`the speech says "${speech.script}"`,
	);
	const upload = getSent(run, 'Upload the audio');
	assert(
		upload.url === 'https://blog.example.com/wp-json/wp/v2/media' &&
			JSON.stringify(upload).includes('post-11.wav') &&
			String(upload.file).endsWith('.wav'),
		`the upload was ${JSON.stringify(upload)}`,
	);
	const { postId, updateFields } = getSent(run, 'Embed the audio');
	const { content } = updateFields as { content: string };
	assert(
		String(postId) === '11' &&
			content.startsWith('<audio controls src="https://blog.example.com/uploads/post-11.wav">') &&
			content.endsWith('<p>Welcome! It is good to have you here.</p>'),
		`post ${String(postId)} became ${content}`,
	);
	return 'one post got its audio, the one that had it already was left alone';
}

export async function personalVideoForContact(context: Context): Promise<string> {
	const { workflow, n8n, service } = context;
	await replaceAccounts(context);
	const run = await n8n.runWorkflow(workflow.id, 'New contact');
	assertRan(run, ['New contact', 'Get contact', 'Create video', 'Mail the video']);
	assert(getSent(run, 'Get contact').contactId, 'HubSpot was not asked for the contact');
	const [video, ...more] = service.videos;
	assert(video && more.length === 0, `${service.videos.length} videos were made, not 1`);
	assert(String(video.script).includes('Ada'), `the script is "${String(video.script)}"`);
	const mail = getSent(run, 'Mail the video');
	assert(
		mail.sendTo === 'ada@example.com' && String(mail.message).includes(service.filesUrl),
		`the mail was ${JSON.stringify(mail)}`,
	);
	service.configure({ videoResponse: 'id' });
	const unfinished = await n8n.runWorkflow(workflow.id, 'New contact');
	assertRan(unfinished, ['Mail a colleague']);
	assert(!unfinished.items['Mail the video'], 'a mail without a link was sent');
	return `the contact got a mail with video ${video.id}; without a link a colleague gets one`;
}

export async function telegramVoiceReply(context: Context): Promise<string> {
	const { workflow, n8n, service } = context;
	await replaceAccounts(context);
	const run = await n8n.runWorkflow(workflow.id, 'Message');
	assertRan(run, ['Message', 'Create speech', 'Reply with audio', 'Reply with the reason']);
	const [speech, ...more] = service.speeches;
	assert(speech && more.length === 0, `${service.speeches.length} speeches were made, not 1`);
	assert(speech.voiceId.includes('de-'), `the voice is ${speech.voiceId}`);
	const reply = getSent(run, 'Reply with audio');
	assert(
		String(reply.chatId) === '123456789' && String(reply.file).endsWith('.wav'),
		`the reply was ${JSON.stringify(reply)}`,
	);
	const { text } = getSent(run, 'Reply with the reason');
	assert(String(text).includes('tlh'), `the reply was "${String(text)}"`);
	return 'a text was answered with its speech, an unknown language with the reason';
}

export async function videoInFiveLanguages(context: Context): Promise<string> {
	const { workflow, n8n, service } = context;
	const run = await n8n.runWorkflow(workflow.id, 'Start by hand');
	assertRan(run, ['Start by hand', 'One item per language', 'Translate', 'List of videos']);
	const listed = run.items['List of videos']!;
	assert(listed.length === 5, `${listed.length} videos were listed, not 5`);
	const languages = run.items['One item per language']!.map(
		({ language }) => language as { name: string; code: string },
	);
	for (const { language, script, video } of listed) {
		const made = service.videos.find(({ id }) => id === video);
		const { code } = languages.find(({ name }) => name === language)!;
		assert(
			made?.script === script && String(made?.voiceId).includes(code),
			`the video in ${String(language)} is ${JSON.stringify(made)}`,
		);
	}
	const scripts = new Set(listed.map(({ script }) => script));
	assert(scripts.size === 5, `the five videos have ${scripts.size} different scripts`);
	return 'five videos, each with its translation and a voice that speaks it';
}

export async function videoAfterSlackApproval(context: Context): Promise<string> {
	const { workflow, n8n, service } = context;
	await replaceAccounts(context);
	const run = await n8n.runWorkflow(workflow.id, 'Request');
	assertRan(run, ['Request', 'Ask in Slack', 'Create video', 'Post the video']);
	const [{ Script: script } = {}] = run.items.Request!;
	const { message } = getSent(run, 'Ask in Slack');
	assert(String(message).includes(String(script)), `Slack was asked "${String(message)}"`);
	const [video, ...more] = service.videos;
	assert(video && more.length === 0, `${service.videos.length} videos were made, not 1`);
	assert(video.script === script, `the script is "${String(video.script)}"`);

	await replaceAccounts(context, { 'Ask in Slack': { data: { approved: false } } });
	const declined = await n8n.runWorkflow(workflow.id, 'Request');
	assertRan(declined, ['Ask in Slack', 'Post the refusal']);
	assert(service.videos.length === 1, 'a video was made that nobody approved');
	return `video ${video.id} was made after the approval, none after a refusal`;
}

/** The values of a node's expressions, which it would have sent to another service. */
function getSent(run: Execution, node: string): Record<string, unknown> {
	const { sent } = run.items[node]?.[0] ?? {};
	assert(sent, `${node} sent nothing`);
	return sent as Record<string, unknown>;
}
