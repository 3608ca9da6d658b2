import assert from 'node:assert/strict';

import { findDataTable } from '../dataTable';
import { isVersion1 } from '../installation';

import { assertRan, editWorkflow, findNode, type Context, type N8nApi } from './context';
import { fillInForm } from './formPages';

export async function newAssetToVideo({ workflow, n8n, service }: Context): Promise<string> {
	const run = await n8n.runWorkflow(workflow.id, 'New picture');
	assertRan(run, ['New picture', 'Create video', 'Say what is made', 'Tell your team']);
	const [picture, ...others] = run.items['New picture']!;
	assert(picture && others.length === 0, `${others.length + 1} pictures were tried with`);
	const [video, ...more] = service.videos;
	assert(video && more.length === 0, `${service.videos.length} videos were made, not 1`);
	const script = String(video.script);
	assert(script.includes(String(picture.name)), `the script is "${script}"`);
	const [{ message } = {}] = run.items['Tell your team']!;
	assert(
		[picture.name, video.id].every((part) => String(message).includes(String(part))),
		`the team was told "${String(message)}"`,
	);

	service.voices = service.voices.filter(({ voiceId }) => voiceId !== video.voiceId);
	const refused = await n8n.runWorkflow(workflow.id, 'New picture');
	assertRan(refused, ['New picture', 'Say what went wrong', 'Tell your team']);
	const [{ message: bad } = {}] = refused.items['Tell your team']!;
	assert(String(bad).includes('There is no voice'), `the team was told "${String(bad)}"`);
	return `video ${video.id} is about "${String(picture.name)}"; a refusal is reported as well`;
}

export async function videoFromForm({ workflow, n8n, service }: Context): Promise<string> {
	const path = String((findNode(workflow, 'Form').parameters.options as { path: string }).path);
	const [ending] = await fillInForm(n8n.url, path, [
		'Check',
		'Hello from the check.',
		'English (United Kingdom)',
	]);
	const [video, ...more] = service.videos;
	assert(video && more.length === 0, `${service.videos.length} videos were made, not 1`);
	assert(String(video.voiceId).includes('en-GB'), `the voice is ${String(video.voiceId)}`);
	const link = /<video[^>]*><source src="([^"]+)"/.exec(ending!)?.[1]?.replaceAll('&amp;', '&');
	assert(link, `the form ended with ${ending}`);
	assert(
		ending!.includes('sample') && ending!.includes(`/form/${path}`),
		`it ended with ${ending}`,
	);
	const file = await fetch(link);
	const type = file.headers.get('content-type');
	assert(file.ok && type === 'video/mp4', `the link of the video answered ${file.status} ${type}`);

	const [refused] = await fillInForm(n8n.url, path, ['Check', 'Hello!', 'xx-XX']);
	assert(refused!.includes('No voice speaks the language'), `the form ended with ${refused}`);
	return `the form shows video ${video.id}, or the reason why there is none`;
}

export async function videoFromWebhook({ workflow, n8n, service }: Context): Promise<string> {
	assertRan(await n8n.runWorkflow(workflow.id, 'Webhook'), ['Create video', 'Send the video']);
	service.reset();

	const path = String(findNode(workflow, 'Webhook').parameters.path);
	const order = { script: 'Hello from the check.', voice: 'Sonia', title: 'Check' };
	const made = await post(n8n, path, order);
	const { video } = made.body as { video?: { id?: string } };
	assert(made.status === 201 && video?.id, `the webhook answered ${describe(made)}`);
	const wordless = await post(n8n, path, { voice: 'Sonia' });
	assert(
		wordless.status === 400 && JSON.stringify(wordless.body).includes('script'),
		`without a script the webhook answered ${describe(wordless)}`,
	);
	const ambiguous = await post(n8n, path, { ...order, voice: 'en-GB' });
	assert(
		ambiguous.status === 422 && JSON.stringify(ambiguous.body).includes('au-en-GB-ryan'),
		`for a voice that several fit the webhook answered ${describe(ambiguous)}`,
	);

	const [stored, ...more] = service.videos;
	assert(stored && more.length === 0, `${service.videos.length} videos reached the service, not 1`);
	const { id, script, videoTitle, voiceId } = stored as unknown as Record<string, string>;
	assert(id === video?.id, `the answer names video ${video?.id}, the service made ${id}`);
	assert(script === order.script, `the service got the script "${script}"`);
	assert(videoTitle === order.title, `the service got the title "${videoTitle}"`);
	assert(voiceId === 'au-en-GB-sonia', `the service got the voice ${voiceId}`);

	service.injectFault({ when: { method: 'POST' }, status: 402 });
	const refused = await post(n8n, path, order);
	assert(
		refused.status === 502 && JSON.stringify(refused.body).includes('Payment is required'),
		`when the service refused, the webhook answered ${describe(refused)}`,
	);
	return `video ${id} for voice ${voiceId}; no script: 400; several voices: 422; refused: 502`;
}

export async function videosFromTable(context: Context): Promise<string> {
	const { workflow, n8n, service } = context;
	const table = await findDataTable(n8n, 'Videos to make');
	assert(table, 'its table is missing');
	await table.addRows([
		{ title: 'No script', script: '' },
		{ title: 'Claimed by a run that crashed', script: 'Hello!', state: 'claimed' },
	]);
	if (isVersion1(n8n.version)) {
		// Users must do this after the import.
		await editWorkflow(context, ({ nodes }) => {
			for (const { parameters } of nodes) {
				if ('dataTableId' in parameters) {
					parameters.dataTableId = { __rl: true, mode: 'id', value: table.id };
				}
			}
		});
	}
	const run = await n8n.runWorkflow(workflow.id, 'Start by hand');
	assertRan(run, ['Rows without a state', 'Claim row', 'Mark row as done', 'Note the reason']);
	const again = await n8n.runWorkflow(workflow.id, 'Start by hand');
	assert(again.status === 'success', `the second run ended with ${again.status}`);
	const titles = service.videos.map(({ videoTitle }) => String(videoTitle)).sort();
	assert(
		titles.length === 2 && titles[0]!.endsWith('Welcome') && titles[1]!.endsWith('Goodbye'),
		`these videos were made: ${titles.join(', ')}`,
	);
	const rows = await table.readRows();
	const states = rows.map(({ state }) => state).join();
	assert(states === 'done,done,claimed,claimed', `the states of the rows are ${states}`);
	const [done, , failed] = rows;
	assert(done?.video, 'the row of a video does not name it');
	assert(String(failed?.note).includes('Script'), `the note says ${String(failed?.note)}`);
	return 'two videos created once by two runs; a failed and a claimed row left alone';
}

interface WebhookResponse {
	status: number;
	body: unknown;
}

async function post(n8n: N8nApi, path: string, body: unknown): Promise<WebhookResponse> {
	const response = await fetch(`${n8n.url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	return { status: response.status, body: tryParseJson(await response.text()) };
}

function tryParseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function describe({ status, body }: WebhookResponse): string {
	return `${status} ${JSON.stringify(body)}`;
}
