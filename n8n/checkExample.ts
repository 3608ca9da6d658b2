import assert from 'node:assert/strict';

import type { Service } from '../service/service';

import { findDataTable, type DataTable, type Row } from './dataTable';
import type { Execution } from './execution';
import { fillInForm } from './fillInForm';
import { isVersion1 } from './installation';
import type { Session } from './session';
import { startsByItself, type Workflow, type WorkflowNode } from './workflow';

/** The result of one example. */
export interface Outcome {
	passed: boolean;
	/** What it changed in the service, or what was wrong. */
	summary: string;
}

interface Context {
	workflow: Workflow;
	n8n: Session;
	service: Service;
}

/** What an example does with its sample data. */
interface Check {
	/** The requests that create or change something, as describeChanges puts them. */
	changes: string;
	/** The nodes that no item comes out of in a run by hand. */
	idle?: string[];
	/** Uses the example as its user would, if one run by hand is not all. */
	use?: (context: Context, idle?: string[]) => Promise<unknown>;
}

const CREATE_VIDEO = 'POST /v1/talkingphotos';
const CREATE_SPEECH = 'POST /v1/speech';

/**
 * By workflow ID: only what takes n8n's own nodes to see. What an example sends and reports, and
 * what it makes of other data, is tested in test/examples, in n8n's engine.
 */
const checks: Record<string, Check> = {
	AgentMakesVideo1: { changes: `1 × ${CREATE_VIDEO}` },
	AvatarVideoHook1: {
		changes: `2 × ${CREATE_VIDEO}`,
		idle: ['Send the reason', 'Say that it was ordered', 'Drop the claim'],
		use: callWebhook,
	},
	FiveLanguages001: { changes: `5 × ${CREATE_VIDEO}`, use: compareLanguages },
	NewAssetToVideo1: { changes: `1 × ${CREATE_VIDEO}` },
	SlackApproval001: { changes: `1 × ${CREATE_VIDEO}`, idle: ['Post the reason'] },
	TelegramSpeech01: { changes: `1 × ${CREATE_SPEECH}`, idle: ['Reply with the reason'] },
	VideoFromForm001: { changes: `1 × ${CREATE_VIDEO}`, use: fillInTwice },
	VideoFromRss0001: { changes: `1 × ${CREATE_VIDEO}` },
	VideoFromSheet01: { changes: `1 × ${CREATE_VIDEO}`, idle: ['Write the reason'] },
	VideosFromTable1: { changes: `3 × ${CREATE_VIDEO}`, use: runTableTwice },
};

/**
 * Runs one example with its pinned samples instead of accounts, and checks which nodes items came
 * out of and which requests reached the stand-in.
 */
export async function checkExample(
	workflow: Workflow,
	n8n: Session,
	service: Service,
): Promise<Outcome> {
	service.reset();
	// Only now: the trigger of one example would create a video about the asset that another imports.
	const isPublished = startsByItself(workflow);
	try {
		const check = checks[workflow.id];
		assert(check, `no check is written for ${workflow.id}`);
		await selectTables(workflow.id, n8n);
		if (isPublished) await n8n.publish(workflow.id);
		await (check.use ?? runByHand)({ workflow, n8n, service }, check.idle);
		const changes = describeChanges(service);
		assert(changes === check.changes, `it made ${changes || 'no change'}, not ${check.changes}`);
		const violations = service.violations.join('; ');
		assert(violations === '', `requests against the contract: ${violations}`);
		return { passed: true, summary: changes };
	} catch (error) {
		return { passed: false, summary: (error as Error).message };
	} finally {
		if (isPublished) await n8n.rest('POST', `/workflows/${workflow.id}/deactivate`);
	}
}

/** Runs an example from its trigger. Items must come out of every node but the idle ones. */
async function runByHand(context: Context, idle: string[] = []): Promise<Execution> {
	const execution = await runOnce(context);
	const { trigger, targets } = findNodes(context.workflow);
	const silent = [trigger, ...targets].filter((name) => !execution.items[name]?.length);
	assert.deepEqual(silent.sort(), [...idle].sort(), `no items came out of: ${silent.join(', ')}`);
	return execution;
}

async function requireStates(n8n: Session, name: string, expected: string): Promise<Row[]> {
	const rows = await (await requireTable(n8n, name)).readRows();
	const states = rows.map(({ state }) => state).join();
	assert(states === expected, `the states of the rows are ${states}`);
	return rows;
}

async function requireTable(n8n: Session, name: string): Promise<DataTable> {
	const table = await findDataTable(n8n, name);
	assert(table, `there is no table "${name}"`);
	return table;
}

async function runOnce({ workflow, n8n }: Context): Promise<Execution> {
	const execution = await n8n.runWorkflow(workflow.id, findNodes(workflow).trigger);
	const { id, status, error } = execution;
	assert(status === 'success', `execution ${id} ended with ${status}: ${error ?? 'no message'}`);
	return execution;
}

/** The node that an example starts with, and the nodes that get items. */
function findNodes(workflow: Workflow): { trigger: string; targets: string[] } {
	const connections = workflow.connections as Record<string, { main?: { node: string }[][] }>;
	const targets = Object.values(connections).flatMap(({ main = [] }) =>
		main.flat().map(({ node }) => node),
	);
	const [trigger] = Object.keys(connections).filter(
		(name) => connections[name]!.main && !targets.includes(name),
	);
	return { trigger: trigger!, targets: [...new Set(targets)] };
}

/** Asks for a video that can be made, and for one that cannot. */
async function fillInTwice({ workflow, n8n }: Context): Promise<void> {
	const path = formPath(workflow, 'Form');
	const [made] = await fillInForm(n8n.url, path, ['Check', 'Hello!', 'English (United Kingdom)']);
	const link = /<video[^>]*><source src="([^"]+)"/.exec(made ?? '')?.[1];
	assert(link, `the form ended with ${made}`);
	const { status, headers } = await fetch(link.replaceAll('&amp;', '&'));
	assert(headers.get('content-type') === 'video/mp4', `the link of the video answered ${status}`);
	const [refused] = await fillInForm(n8n.url, path, ['Check', 'Hello!', 'xx-XX']);
	assertIncludes(refused, 'No voice speaks the language');
}

async function callWebhook(context: Context, idle?: string[]): Promise<void> {
	await runByHand(context, idle);
	const path = String(findNode(context.workflow, 'Webhook').parameters.path);
	const order = async (orderId: unknown) => {
		const response = await fetch(`${context.n8n.url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ orderId, script: 'Hello!', voice: 'Sonia' }),
		});
		return `${response.status} ${await response.text()}`;
	};
	const answers = (await Promise.all([order(1), order('1')])).sort();
	const [made, repeated] = answers;
	const isOnce = made?.startsWith('201') && repeated?.startsWith('409');
	assert(isOnce, `the webhook answered ${answers.join(' and ')}`);
	assertIncludes(await order(1), '"state":"created"');
}

/** A language model's chain does not say which item it answers: n8n pairs them. */
async function compareLanguages(context: Context): Promise<void> {
	const { items } = await runByHand(context);
	const listed = items['List of videos']!;
	for (const { language, script, video } of listed) {
		const made = context.service.videos.find(({ id }) => id === video);
		assert(
			made?.script === script && made?.videoTitle === `Welcome (${String(language)})`,
			`the video in ${String(language)} is ${JSON.stringify(made)}`,
		);
	}
	const scripts = new Set(listed.map(({ script }) => script));
	assert(scripts.size === 5, `the five videos have ${scripts.size} different scripts`);
}

async function runTableTwice(context: Context): Promise<void> {
	const { n8n } = context;
	const table = await requireTable(n8n, 'Videos to make');
	await table.addRows([
		{ title: 'No script', script: '' },
		{ title: 'Claimed by a run that crashed', script: 'Hello!', state: 'claimed' },
		{ title: 'Emptied by hand', script: 'Hello!', state: '' },
	]);
	await runByHand(context);
	await runOnce(context);
	const rows = await requireStates(n8n, 'Videos to make', 'done,done,claimed,claimed,done');
	assertIncludes(String(rows[2]!.note), 'Script');
}

/** Selects the tables in the nodes of a workflow, which users of n8n 1.x must do after the import. */
export async function selectTables(workflowId: string, n8n: Session): Promise<void> {
	if (!isVersion1(n8n.version)) return;
	const path = `/workflows/${workflowId}`;
	const { nodes, connections, versionId } = await n8n.rest<Workflow & { versionId: string }>(
		'GET',
		path,
	);
	const users = nodes.filter(({ parameters }) => 'dataTableId' in parameters);
	if (users.length === 0) return;
	for (const { parameters } of users) {
		const { value } = parameters.dataTableId as { value: string };
		const { id } = await requireTable(n8n, value);
		parameters.dataTableId = { __rl: true, mode: 'id', value: id };
	}
	await n8n.rest('PATCH', path, { nodes, connections, versionId });
}

/** The requests that created or changed something: "2 × POST /v1/speech". */
function describeChanges({ requests }: Service): string {
	const routes = requests
		.filter(({ host, method }) => host === 'api' && method !== 'GET')
		.map(({ method, path }) => `${method} ${path.split('/').slice(0, 3).join('/')}`);
	return [...new Set(routes)]
		.sort()
		.map((route) => `${routes.filter((other) => other === route).length} × ${route}`)
		.join(', ');
}

function formPath(workflow: Workflow, name: string): string {
	return (findNode(workflow, name).parameters.options as { path: string }).path;
}

function findNode({ nodes }: Workflow, name: string): WorkflowNode {
	const node = nodes.find((candidate) => candidate.name === name);
	assert(node, `there is no node "${name}"`);
	return node;
}

function assertIncludes(answer: string | undefined, text: string): void {
	assert(answer?.includes(text), `"${text}" is not in the answer: ${answer}`);
}
