import assert from 'node:assert/strict';

import type { Service } from '../service/service';

import { createDataTable } from './dataTable';
import type { Execution } from './execution';
import type { N8n } from './n8n';
import { startScriptedModel } from './scriptedModel';
import type { Workflow } from './workflow';

/** The result of one example. */
export interface Outcome {
	passed: boolean;
	/** What came out, or what was wrong. */
	summary: string;
}

/** What a check needs of n8n. */
type N8nApi = Pick<N8n, 'url' | 'rest' | 'runWorkflow' | 'executionsOf'>;

interface Context {
	workflow: Workflow;
	n8n: N8nApi;
	service: Service;
}

/** By workflow ID: runs the example and returns in a few words what came out, or throws. */
const checks: Record<string, (scene: Context) => Promise<string>> = {
	AgentMakesVideo1: agentMakesVideo,
	AvatarVideoHook1: videoFromWebhook,
	ImportDownload01: importAndDownload,
	NewAssetToVideo1: newAssetToVideo,
	RenameAssetsRun1: renameAssets,
	SpeechForScript1: speechForEachScript,
	VideosFromTable1: videosFromTable,
};

/** Runs one example and checks n8n's record of it and what reached the stand-in. */
export async function checkExample(
	workflow: Workflow,
	n8n: N8nApi,
	service: Service,
): Promise<Outcome> {
	try {
		const check = checks[workflow.id];
		if (!check) throw new Error(`no check is written for ${workflow.id}`);
		const summary = await check({ workflow, n8n, service });
		const violations = service.violations;
		assert(violations.length === 0, `requests against the contract: ${violations.join('; ')}`);
		return { passed: true, summary };
	} catch (error) {
		return { passed: false, summary: (error as Error).message };
	}
}

/** The model behind the agent plays a script, so no account is needed. */
async function agentMakesVideo({ workflow, n8n, service }: Context): Promise<string> {
	const model = await startScriptedModel();
	try {
		await connectModel(workflow, n8n, model.url);
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
		return `the agent met an error, found a voice and made video ${video.id}`;
	} finally {
		await model.close();
	}
}

async function importAndDownload({ workflow, n8n, service }: Context): Promise<string> {
	// The other example would make a video of the imported picture.
	await n8n.rest('POST', '/workflows/NewAssetToVideo1/deactivate');
	const before = service.assets.map(({ id }) => id);
	const run = await n8n.runWorkflow(workflow.id, 'Start by hand');
	assertRan(run, ['Any asset', 'Import asset', 'Get asset', 'Download asset', 'All assets']);
	const [imported, ...more] = service.assets.filter(({ id }) => !before.includes(id));
	assert(imported && more.length === 0, `${more.length} assets too many were imported`);
	const [downloaded] = run.items['Download asset']!;
	assert(downloaded?.id === imported.id, `asset ${String(downloaded?.id)} was downloaded`);
	assert(
		service.requests.some(({ host, path }) => host === 'files' && path.includes(imported.id)),
		'the file of the imported asset was not fetched',
	);
	const listed = run.items['All assets']!.length;
	assert(listed === before.length + 1, `${listed} assets were listed at the end`);
	return `"${imported.name}" imported, downloaded and listed`;
}

async function newAssetToVideo({ workflow, n8n, service }: Context): Promise<string> {
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

async function videoFromWebhook({ workflow, n8n, service }: Context): Promise<string> {
	const path = String(findNode(workflow, 'Webhook').parameters.path);
	const order = { script: 'Hello from the check.', language: 'en-GB', title: 'Check' };
	const made = await post(n8n, path, order);
	const { video } = made.body as { video?: { id?: string } };
	assert(made.status === 201 && video?.id, `the webhook answered ${describe(made)}`);
	const wordless = await post(n8n, path, { language: 'en-GB' });
	assert(
		wordless.status === 400 && JSON.stringify(wordless.body).includes('script'),
		`without a script the webhook answered ${describe(wordless)}`,
	);
	const voiceless = await post(n8n, path, { ...order, language: 'xx-XX' });
	assert(
		voiceless.status === 422 && JSON.stringify(voiceless.body).includes('xx-XX'),
		`for an unknown language the webhook answered ${describe(voiceless)}`,
	);

	const [stored, ...more] = service.videos;
	assert(stored && more.length === 0, `${service.videos.length} videos reached the service, not 1`);
	const { id, script, videoTitle, voiceId } = stored as unknown as Record<string, string>;
	assert(id === video?.id, `the answer names video ${video?.id}, the service made ${id}`);
	assert(script === order.script, `the service got the script "${script}"`);
	assert(videoTitle === order.title, `the service got the title "${videoTitle}"`);
	assert(voiceId?.includes(order.language), `the service got the voice ${voiceId}`);

	const executions = await n8n.executionsOf(workflow.id);
	assert(executions.length === 3, `n8n recorded ${executions.length} executions, not 3`);
	const [forVoiceless, forWordless, forOrder] = executions as [Execution, Execution, Execution];
	const voiceNodes = [
		'Webhook',
		'Has a script?',
		'Find voices',
		'Pick one voice',
		'Found a voice?',
	];
	assertRan(forOrder, [...voiceNodes, 'Create video', 'Send the video']);
	assertRan(forWordless, ['Webhook', 'Has a script?', 'Say what is missing']);
	assertRan(forVoiceless, [...voiceNodes, 'Say that no voice fits']);
	return `video ${id} created for voice ${voiceId}; no script: 400; unknown language: 422`;
}

async function renameAssets({ workflow, n8n, service }: Context): Promise<string> {
	const before = service.assets.map(({ name }) => name);
	assert(before.length > 0, 'the service has no assets to rename');
	const first = await n8n.runWorkflow(workflow.id, 'Every night');
	assertRan(first, [
		'Every night',
		'Get all assets',
		'Work out the name',
		'Breaks the rule?',
		'Rename asset',
		'All assets again',
		'Report',
	]);
	assert(
		first.items['Get all assets']?.length === before.length,
		`${first.items['Get all assets']?.length} of ${before.length} assets were read`,
	);
	const bad = service.assets.filter(
		({ name }) => !/^[\p{Ll}\p{Lo}\p{N}.]+(-[\p{Ll}\p{Lo}\p{N}.]+)*$/u.test(name),
	);
	assert(bad.length === 0, `still against the rule: ${bad.map(({ name }) => name).join(', ')}`);
	const renamed = service.assets.filter(({ name }, index) => name !== before[index]).length;
	const report = first.items.Report?.[0];
	assert(report?.renamed === renamed, `the report says ${JSON.stringify(report)}`);

	const patches = () => service.requests.filter(({ method }) => method === 'PATCH').length;
	assert(patches() === renamed, `${patches()} requests renamed ${renamed} assets`);
	const second = await n8n.runWorkflow(workflow.id, 'Every night');
	assertRan(second, ['Get all assets', 'Report']);
	assert(patches() === renamed, 'the second run renamed assets that follow the rule');
	return `${renamed} of ${before.length} assets renamed, none by a second run`;
}

async function speechForEachScript({ workflow, n8n, service }: Context): Promise<string> {
	const run = await n8n.runWorkflow(workflow.id, 'Start by hand');
	assertRan(run, ['Start by hand', 'Your scripts', 'One item per script', 'Create speech']);
	const scripts = run.items['One item per script'] ?? [];
	const results = run.items['Result list'] ?? [];
	assert(
		results.length === scripts.length,
		`${results.length} results for ${scripts.length} scripts`,
	);
	assert(
		service.speeches.length === scripts.length,
		`${service.speeches.length} speeches reached the service for ${scripts.length} scripts`,
	);
	for (const result of results) {
		const speech = result.speech as { id?: string; audioUrl?: string };
		const stored = service.speeches.find(({ id }) => id === speech.id);
		assert(
			stored?.script === result.script,
			`"${String(result.title)}" got another script's speech`,
		);
		assert(speech.audioUrl, `"${String(result.title)}" has no link to its audio`);
	}
	return `${results.length} speeches, each beside its script`;
}

async function videosFromTable({ workflow, n8n, service }: Context): Promise<string> {
	const { id, readRows } = await createDataTable(n8n, {
		name: 'Videos to make',
		columns: ['title', 'script', 'state', 'video', 'note'],
		rows: [
			{ title: 'Welcome', script: 'Welcome!' },
			{ title: 'No script', script: '' },
			{ title: 'Claimed by a run that crashed', script: 'Hello!', state: 'claimed' },
			{ title: 'Goodbye', script: 'See you soon.' },
		],
	});
	await chooseTable(workflow, n8n, id);
	const run = await n8n.runWorkflow(workflow.id, 'Start by hand');
	assertRan(run, ['Rows without a state', 'Claim row', 'Mark row as done', 'Note the reason']);
	const again = await n8n.runWorkflow(workflow.id, 'Start by hand');
	assert(again.status === 'success', `the second run ended with ${again.status}`);
	const titles = service.videos.map(({ videoTitle }) => String(videoTitle)).sort();
	assert(
		titles.length === 2 && titles[0]!.endsWith('Welcome') && titles[1]!.endsWith('Goodbye'),
		`these videos were made: ${titles.join(', ')}`,
	);
	const rows = await readRows();
	const states = rows.map(({ state }) => state).join();
	assert(states === 'done,claimed,claimed,done', `the states of the rows are ${states}`);
	const [done, failed] = rows;
	assert(done?.video, 'the row of a video does not name it');
	assert(String(failed?.note).includes('Script'), `the note says ${String(failed?.note)}`);
	return 'two videos created once by two runs; a failed and a claimed row left alone';
}

function assertRan(execution: Execution, nodes: string[]): void {
	assert(
		execution.status === 'success',
		`execution ${execution.id} ended with ${execution.status}: ${execution.error ?? 'no message'}`,
	);
	const idle = nodes.filter((node) => !execution.items[node]?.length);
	assert(idle.length === 0, `no items came out of: ${idle.join(', ')}`);
}

function findNode(workflow: Workflow, name: string) {
	const node = workflow.nodes.find((candidate) => candidate.name === name);
	assert(node, `there is no node "${name}"`);
	return node;
}

/** Gives the model of a workflow a credential, as the user does after the import. */
async function connectModel({ id }: Workflow, n8n: N8nApi, url: string): Promise<void> {
	const name = 'Scripted model';
	const credential = await n8n.rest<{ id: string }>('POST', '/credentials', {
		name,
		type: 'openAiApi',
		data: { apiKey: 'not-needed', url },
	});
	const imported = await n8n.rest<Workflow & { versionId: string }>('GET', `/workflows/${id}`);
	const { nodes, connections, versionId } = imported;
	findNode(imported, 'OpenAI Chat Model').credentials = { openAiApi: { id: credential.id, name } };
	await n8n.rest('PATCH', `/workflows/${id}`, { nodes, connections, versionId });
}

/** Chooses a data table in every node that uses one, as a user of n8n 1.x must after the import. */
async function chooseTable({ id }: Workflow, n8n: N8nApi, table: string): Promise<void> {
	const { nodes, connections, versionId } = await n8n.rest<Workflow & { versionId: string }>(
		'GET',
		`/workflows/${id}`,
	);
	for (const { parameters } of nodes) {
		if ('dataTableId' in parameters) {
			parameters.dataTableId = { __rl: true, mode: 'id', value: table };
		}
	}
	await n8n.rest('PATCH', `/workflows/${id}`, { nodes, connections, versionId });
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
