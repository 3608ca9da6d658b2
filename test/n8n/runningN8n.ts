import { readExecution, type Execution } from '../../n8n/execution';
import { Session } from '../../n8n/session';
import { startService, type Service } from '../../service/service';

import { world } from './world';

/** A node as a test writes it down; name, type and parameters are enough. */
export interface Part {
	name: string;
	type: string;
	parameters: object;
	[more: string]: unknown;
}

/** Connections of a workflow: from, kind of connection, to. */
export type Wire = [from: string, kind: string, to: string];

/** The account a node uses, as a workflow stores it. */
export type Account = Record<string, { id: string; name: string }>;

/** The real n8n with a stand-in for the service of its own. */
export interface RunningN8n {
	readonly service: Service;
	/** For the nodes that reach the stand-in. */
	readonly account: Account;
	/** Calls n8n's internal REST API: path below /rest. */
	rest<T>(method: string, path: string, body?: unknown): Promise<T>;
	/** Makes a credential; gone after the tests of this file. */
	newAccount(type: string, data: object): Promise<Account>;
	/** Makes a workflow and gives back its ID. */
	newWorkflow(name: string, parts: Part[], wires: Wire[]): Promise<string>;
	/** Runs a workflow from its node Start by hand and waits for its end. */
	run(workflowId: string): Promise<Execution>;
	/** Runs a chain of nodes by hand and waits for the end. */
	runChain(...parts: Part[]): Promise<Execution>;
	/** The executions of a workflow, the latest first, once none of them is running. */
	executionsOf(workflowId: string): Promise<Execution[]>;
	/** All n8n gives out of an execution, its data as they are stored. */
	stored(executionId: string): Promise<string>;
}

/** For the manual run of a workflow. */
export const startByHand: Part = {
	name: 'Start by hand',
	type: 'n8n-nodes-base.manualTrigger',
	parameters: {},
};

/** Our node, doing one operation. */
export const STUDIO = 'n8n-nodes-avatar-studio.avatarStudio';

/** For the tests of one file: a stand-in, and a credential for it in the n8n of the suite. */
export function useN8n(): RunningN8n {
	const session = new Session(world().url);
	const accounts: string[] = [];
	let service: Service;
	let account: Account;

	const rest: RunningN8n['rest'] = async (...call) => await session.rest(...call);
	const newAccount: RunningN8n['newAccount'] = async (type, data) => {
		const name = `${type} of a test`;
		const { id } = await rest<{ id: string }>('POST', '/credentials', { name, type, data });
		accounts.push(id);
		return { [type]: { id, name } };
	};
	const newWorkflow: RunningN8n['newWorkflow'] = async (name, parts, wires) => {
		const workflow = { name, nodes: placed(parts), connections: connected(wires) };
		const settings = { executionOrder: 'v1' };
		const { id } = await rest<{ id: string }>('POST', '/workflows', { ...workflow, settings });
		return id;
	};
	const run: RunningN8n['run'] = async (workflowId) => {
		const { executionId } = await rest<{ executionId: string }>(
			'POST',
			`/workflows/${workflowId}/run`,
			{ triggerToStartFrom: { name: startByHand.name } },
		);
		return await readExecution(session, executionId);
	};

	beforeAll(async () => {
		service = await startService({ apiKey: 'a-key-that-stays-at-home', speechResponse: 'link' });
		account = await newAccount('avatarStudioApi', {
			baseUrl: service.url,
			apiKey: service.apiKey,
		});
	});

	beforeEach(() => {
		service.reset();
	});

	afterEach(() => {
		expect(service.violations).toEqual([]);
	});

	afterAll(async () => {
		for (const id of accounts) await rest('DELETE', `/credentials/${id}`);
		await service.close();
	});

	return {
		get service() {
			return service;
		},
		get account() {
			return account;
		},
		rest,
		newAccount,
		newWorkflow,
		run,
		async runChain(...parts) {
			const chain = [startByHand, ...parts];
			const wires = parts.map(({ name }, index): Wire => [chain[index]!.name, 'main', name]);
			return await run(await newWorkflow('Chain', chain, wires));
		},
		async executionsOf(workflowId) {
			const filter = encodeURIComponent(JSON.stringify({ workflowId }));
			const { results } = await rest<{ results: { id: string }[] }>(
				'GET',
				`/executions?filter=${filter}`,
			);
			return await Promise.all(results.map(async ({ id }) => await readExecution(session, id)));
		},
		async stored(executionId) {
			return JSON.stringify(await rest('GET', `/executions/${executionId}`));
		},
	};
}

/** Ends the n8n of the suite, or starts it again. */
export async function flipSwitch(to: 'stop' | 'start'): Promise<void> {
	const response = await fetch(`${world().switchUrl}/${to}`, { method: 'POST' });
	if (!response.ok) throw new Error(await response.text());
}

function placed(parts: Part[]) {
	return parts.map((part, index) => ({
		id: String(index),
		typeVersion: 1,
		position: [index * 220, 0],
		...part,
	}));
}

function connected(wires: Wire[]) {
	const connections: Record<
		string,
		Record<string, { node: string; type: string; index: 0 }[][]>
	> = {};
	for (const [from, type, node] of wires) {
		const outputs = (connections[from] ??= {});
		(outputs[type] ??= [[]])[0]!.push({ node, type, index: 0 });
	}
	return connections;
}
