import type { Execution } from '../../n8n/execution';
import type { Session } from '../../n8n/session';
import { startService, type Service } from '../../service/service';

import { connect } from './servers';

/** A node as a test defines it; name, type and parameters are enough. */
export interface Part {
	name: string;
	type: string;
	parameters: object;
	[more: string]: unknown;
}

/** A connection of a workflow: from, connection type, to, and the output of the first node. */
export type Wire = [from: string, kind: string, to: string, output?: number];

/** The account a node uses, as a workflow stores it. */
export type Account = Record<string, { id: string; name: string }>;

/** The real n8n with its own stand-in for the service. */
export interface RunningN8n {
	readonly service: Service;
	/** For the nodes that reach the stand-in. */
	readonly account: Account;
	readonly session: Session;
	/** Calls n8n's internal REST API: path below /rest. */
	rest<T>(method: string, path: string, body?: unknown): Promise<T>;
	/** Creates a credential, which is deleted after the tests of this file. */
	newAccount(type: string, data: object): Promise<Account>;
	/** Creates a workflow and returns its ID. */
	newWorkflow(name: string, parts: Part[], wires: Wire[], settings?: object): Promise<string>;
	/** Publishes a workflow until the end of the test. */
	publish(workflowId: string): Promise<void>;
	/** Runs a workflow manually, by default from Start by hand, and waits for it to finish. */
	run(workflowId: string, trigger?: string): Promise<Execution>;
	/** Runs a chain of nodes manually and waits for it to finish. */
	runChain(...parts: Part[]): Promise<Execution>;
	/** The executions of a workflow, the latest first, once none of them is running. */
	executionsOf(workflowId: string): Promise<Execution[]>;
	/** All that n8n's API returns of an execution, with its data as stored. */
	stored(executionId: string): Promise<string>;
}

/** The trigger of a manual run. */
export const startByHand: Part = {
	name: 'Start by hand',
	type: 'n8n-nodes-base.manualTrigger',
	parameters: {},
};

/** Our node, doing one operation. */
export const STUDIO = 'n8n-nodes-avatar-studio.avatarStudio';

/** One item for each value; the values may also be an expression that returns a list. */
export function rows(values: object[] | string): Part[] {
	const list = typeof values === 'string' ? values : JSON.stringify(values);
	return [
		{
			name: 'List',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: `={{ { rows: ${list} } }}`, options: {} },
		},
		{
			name: 'Rows',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'rows', options: {} },
		},
	];
}

/** A node that passes items on, to see which ones arrive. */
export function collect(name: string): Part {
	return { name, type: 'n8n-nodes-base.noOp', parameters: {} };
}

/** Connects the nodes of a chain. */
export function connectInOrder(parts: Part[]): Wire[] {
	return parts.slice(1).map(({ name }, index): Wire => [parts[index]!.name, 'main', name]);
}

/**
 * For the tests of one file: a stand-in, and a credential for it.
 *
 * @param newSession with the n8n to use, if it is not the one of the version
 */
export function useN8n(newSession = connect): RunningN8n {
	const accounts: string[] = [];
	const published: string[] = [];
	let session: Session;
	let service: Service;
	let account: Account;

	const rest: RunningN8n['rest'] = async (...call) => await session.rest(...call);
	const newAccount: RunningN8n['newAccount'] = async (type, data) => {
		const name = `${type} of a test`;
		const { id } = await rest<{ id: string }>('POST', '/credentials', { name, type, data });
		accounts.push(id);
		return { [type]: { id, name } };
	};
	const newWorkflow: RunningN8n['newWorkflow'] = async (name, parts, wires, settings = {}) => {
		const workflow = buildWorkflow(name, parts, wires, settings);
		return (await rest<{ id: string }>('POST', '/workflows', workflow)).id;
	};
	const run: RunningN8n['run'] = async (workflowId, trigger = startByHand.name) =>
		await session.runWorkflow(workflowId, trigger);

	beforeAll(async () => {
		session = newSession();
		service = await startService({ apiKey: 'a-key-that-stays-at-home', speechResponse: 'link' });
		account = await newAccount('avatarStudioApi', {
			baseUrl: service.url,
			apiKey: service.apiKey,
		});
	});

	beforeEach(() => {
		service.reset();
	});

	afterEach(async () => {
		for (const id of published.splice(0)) await rest('POST', `/workflows/${id}/deactivate`);
		expect(service.violations).toEqual([]);
	});

	afterAll(async () => {
		await service.close();
		for (const id of accounts) await rest('DELETE', `/credentials/${id}`);
	});

	return {
		get service() {
			return service;
		},
		get account() {
			return account;
		},
		get session() {
			return session;
		},
		rest,
		newAccount,
		newWorkflow,
		async publish(workflowId) {
			await session.publish(workflowId);
			published.push(workflowId);
		},
		run,
		async runChain(...parts) {
			const chain = [startByHand, ...parts];
			return await run(await newWorkflow('Chain', chain, connectInOrder(chain)));
		},
		async executionsOf(workflowId) {
			return await session.executionsOf(workflowId);
		},
		async stored(executionId) {
			return JSON.stringify(await rest('GET', `/executions/${executionId}`));
		},
	};
}

/** A workflow as n8n's API takes it. */
export function buildWorkflow(name: string, parts: Part[], wires: Wire[], settings: object = {}) {
	const nodes = parts.map((part, index) => ({
		id: String(index),
		typeVersion: 1,
		position: [index * 220, 0],
		...part,
	}));
	const connections: Record<string, Record<string, object[][]>> = {};
	for (const [from, type, node, output = 0] of wires) {
		const outputs = ((connections[from] ??= {})[type] ??= []);
		while (outputs.length <= output) outputs.push([]);
		outputs[output]!.push({ node, type, index: 0 });
	}
	const withOrder = { executionOrder: 'v1', ...settings };
	return { name, nodes, connections, settings: withOrder, active: false };
}
