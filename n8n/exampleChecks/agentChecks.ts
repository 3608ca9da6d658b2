import assert from 'node:assert/strict';

import { assertRan, findNode, type Context } from './context';
import { fillInForm } from './formPages';

/** Plays a model that makes a mistake first, then the demo's model. */
export async function agentMakesVideo(context: Context): Promise<string> {
	const { workflow, n8n, service, model } = context;
	const order = { title: 'Welcome', script: 'Welcome! It is good to have you here.' };
	model.play(
		{ tool: 'Create_video', args: { ...order, voice_id: 'a British man' } },
		{ tool: 'Find_voices', args: { search: 'en-GB' } },
		([, found]) => {
			const voices = JSON.parse(found!) as { voiceId: string; gender: string }[];
			const man = voices.find(({ gender }) => gender === 'male');
			return { tool: 'Create_video', args: { ...order, voice_id: man?.voiceId } };
		},
		'The video is being made.',
	);
	const run = await n8n.runWorkflow(workflow.id, 'Start by hand');
	assertRan(run, ['Start by hand', 'Your wish', 'AI Agent']);
	const [refused, , made] = model.answers;
	assert(refused?.includes('a British man'), `a wrong voice was answered with ${refused}`);
	const [video, ...more] = service.videos;
	assert(video && more.length === 0, `${service.videos.length} videos were made, not 1`);
	assert(made?.includes(video.id), `the model was told ${made}, the video is ${video.id}`);
	assert(video.script === order.script, `the service got the script "${video.script}"`);
	const [{ output } = {}] = run.items['AI Agent']!;
	assert(output === 'The video is being made.', `the agent said ${String(output)}`);

	model.play();
	assertRan(await n8n.runWorkflow(workflow.id, 'Start by hand'), ['AI Agent']);
	assert(service.videos.length === 2, 'the model of the demo made no video');
	return `the agent met an error, found a voice and made video ${video.id}`;
}

export async function agentWithHumanReview({ workflow, n8n, service }: Context): Promise<string> {
	const path = String((findNode(workflow, 'Topic').parameters.options as { path: string }).path);
	const edited = ['Welcome', 'Welcome, and thank you for coming.', 'Ryan, en-GB'];
	const [review, ending] = await fillInForm(
		n8n.url,
		path,
		['A welcome'],
		[...edited, 'Create the video'],
	);
	for (const text of ['Welcome! It is good to have you here.', 'au-en-GB-ryan']) {
		assert(review!.includes(text), `the page to review does not show "${text}"`);
	}
	const [video, ...more] = service.videos;
	assert(video && more.length === 0, `${service.videos.length} videos were made, not 1`);
	assert(
		video.script === edited[1] && video.voiceId === 'au-en-GB-ryan',
		`the video is ${JSON.stringify(video)}`,
	);
	assert(ending!.includes('<video'), `the form ended with ${ending}`);

	const discarded = await fillInForm(n8n.url, path, ['A welcome'], [...edited, 'Discard it']);
	assert(discarded[1]!.includes('Discarded'), `the form ended with ${discarded[1]}`);
	assert(service.videos.length === 1, 'a video was made that was discarded');
	return `video ${video.id} has the reviewed script; a discarded one was not made`;
}
