import assert from 'node:assert/strict';

import type { Service } from '../service/service';

import { changeNodes, requireTable, selectTables } from './editWorkflow';
import type { Execution } from './execution';
import { fillInForm } from './fillInForm';
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

/** The requests of an example that create or change something, and how to use it: by default, by hand. */
type Check = [changes: string, use?: (context: Context) => Promise<unknown>];

const CREATE_VIDEO = 'POST /v1/talkingphotos';
const CREATE_SPEECH = 'POST /v1/speech';

/**
 * What is checked of each example, by workflow ID. It is only what n8n's own nodes are needed for: what
 * an example sends and reports, and how it handles other data, is tested in test/examples.
 */
const checks: Record<string, Check> = {
	AgentMakesVideo1: [`1 × ${CREATE_VIDEO}`, askAgent],
	AvatarVideoHook1: [`1 × ${CREATE_VIDEO}`, callWebhook],
	FiveLanguages001: [`5 × ${CREATE_VIDEO}`, compareLanguages],
	NewAssetToVideo1: [`1 × ${CREATE_VIDEO}`],
	SlackApproval001: [`1 × ${CREATE_VIDEO}`],
	TelegramSpeech01: [`1 × ${CREATE_SPEECH}`],
	VideoByCallback1: [`1 × ${CREATE_VIDEO}`, waitForCallback],
	VideoFromForm001: [`1 × ${CREATE_VIDEO}`, fillInTwice],
	VideoFromRss0001: [`1 × ${CREATE_VIDEO}`],
	VideoFromSheet01: [`1 × ${CREATE_VIDEO}`],
	VideoLookedUp001: [`1 × ${CREATE_VIDEO}`, lookUpInRounds],
	VideosFromTable1: [`2 × ${CREATE_VIDEO}`, runTableTwice],
};

/**
 * Runs one example with its pinned samples instead of accounts, and checks which requests reached the
 * stand-in.
 */
export async function checkExample(
	workflow: Workflow,
	n8n: Session,
	service: Service,
): Promise<Outcome> {
	service.reset();
	// An example is published only while it is checked. Otherwise, one that starts with a new asset would
	// create a video for the asset that another one imports.
	const isPublished = startsByItself(workflow);
	try {
		assert(checks[workflow.id], `no check is written for ${workflow.id}`);
		const [expected, use = runByHand] = checks[workflow.id]!;
		await selectTables(workflow.id, n8n);
		if (isPublished) await n8n.publish(workflow.id);
		await use({ workflow, n8n, service });
		const changes = describeChanges(service);
		assert(changes === expected, `it made ${changes || 'no change'}, not ${expected}`);
		const violations = service.violations.join('; ');
		assert(violations === '', `requests against the contract: ${violations}`);
		return { passed: true, summary: changes };
	} catch (error) {
		return { passed: false, summary: (error as Error).message };
	} finally {
		if (isPublished) await n8n.rest('POST', `/workflows/${workflow.id}/deactivate`);
	}
}

/** Runs an example from its trigger, the node that no other one leads to. */
async function runByHand({ workflow, n8n }: Context): Promise<Execution> {
	const connections = workflow.connections as Record<string, { main?: { node: string }[][] }>;
	const targets = Object.values(connections).flatMap(({ main = [] }) => main.flat());
	const [trigger] = Object.keys(connections).filter(
		(name) => connections[name]!.main && !targets.some(({ node }) => node === name),
	);
	const execution = await n8n.runWorkflow(workflow.id, trigger!);
	const { id, status, error } = execution;
	assert(status === 'success', `execution ${id} ended with ${status}: ${error ?? 'no message'}`);
	return execution;
}

/** Asks for a video that can be made, and for one that cannot. */
async function fillInTwice({ workflow, n8n }: Context): Promise<void> {
	const { path } = findNode(workflow, 'Form').parameters.options as { path: string };
	const fillIn = async (language: string) =>
		await fillInForm(`${n8n.url}/form/${path}`, ['Check', 'Hello!', language]);
	const made = await fillIn('English (United Kingdom)');
	const link = /<video[^>]*><source src="([^"]+)"/.exec(made)?.[1];
	assert(link, `the form ended with ${made}`);
	await assertIsVideo(link.replaceAll('&amp;', '&'));
	const refused = await fillIn('xx-XX');
	assert(refused.includes('No voice speaks the language'), `the form ended with ${refused}`);
}

/** The agent must create a video, get it, and answer with its link. */
async function askAgent(context: Context): Promise<void> {
	const { items } = await runByHand(context);
	const answer = String(items['AI Agent']![0]!.output);
	await assertIsVideo(/"fileUrl":"([^"]+)"/.exec(answer)?.[1]);
}

/** Without the callback, the execution would wait for longer than this waits for it. */
async function waitForCallback(context: Context): Promise<void> {
	const { items } = await runByHand(context);
	await assertIsVideo(items['Get video']![0]!.fileUrl);
}

/** Looks a video up every two seconds, which takes more than one round. */
async function lookUpInRounds(context: Context): Promise<void> {
	const { workflow, n8n } = context;
	await changeNodes(workflow.id, n8n, (nodes) => {
		findNode({ nodes }, 'Wait a while').parameters.amount = 2;
	});
	const { items } = await runByHand(context);
	const [{ finished }] = items['Get video'] as [{ finished: boolean }];
	assert(!finished, 'the video was finished at once');
	await assertIsVideo(items['List the video']![0]!.link);
}

/** Checks that a link leads to a video. */
async function assertIsVideo(link: unknown): Promise<void> {
	assert(typeof link === 'string' && link, 'there is no link to the video');
	const { status, headers } = await fetch(link);
	assert(headers.get('content-type') === 'video/mp4', `the link of the video answered ${status}`);
}

async function callWebhook({ workflow, n8n }: Context): Promise<void> {
	const path = String(findNode(workflow, 'Webhook').parameters.path);
	const order = async (orderId: unknown) => {
		const response = await fetch(`${n8n.url}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ orderId, script: 'Hello!', voice: 'Sonia' }),
		});
		return `${response.status} ${await response.text()}`;
	};
	const answers = (await Promise.all([order(1), order('1')])).sort();
	const isOnce = answers[0].startsWith('201') && answers[1].startsWith('409');
	assert(isOnce, `the webhook answered ${answers.join(' and ')}`);
}

/**
 * Checks that each video is in its own language. n8n must pair the answers of the language model with
 * the items they answer, because a chain does not say which they are.
 */
async function compareLanguages(context: Context): Promise<void> {
	const { items } = await runByHand(context);
	for (const { language, script, video } of items['List of videos']!) {
		const made = context.service.videos.find(({ id }) => id === video);
		const isRight = made?.script === script && made?.videoTitle === `Welcome (${String(language)})`;
		assert(isRight, `the video in ${String(language)} is ${JSON.stringify(made)}`);
	}
}

async function runTableTwice(context: Context): Promise<void> {
	const table = await requireTable(context.n8n, 'Videos to make');
	await table.addRows([
		{ title: 'Claimed by a run that crashed', script: 'Hello!', state: 'claimed' },
	]);
	await runByHand(context);
	await runByHand(context);
	const states = (await table.readRows()).map(({ state }) => state).join();
	assert(states === 'done,done,claimed', `the states of the rows are ${states}`);
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

function findNode({ nodes }: Pick<Workflow, 'nodes'>, name: string): WorkflowNode {
	const node = nodes.find((candidate) => candidate.name === name);
	assert(node, `there is no node "${name}"`);
	return node;
}
