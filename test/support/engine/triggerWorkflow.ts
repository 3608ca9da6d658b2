import { randomUUID } from 'node:crypto';

import { PollContext } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IPollFunctions,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { createAdditionalData } from './additionalData';
import { TRIGGER } from './engine';
import { nodeTypes } from './nodeTypes';
import { createAvatarStudioNode, CREDENTIAL, type Credentials } from './parts';

/** What may change from one activation to the next. */
export interface Saved {
	parameters?: INodeParameters;
	credentialId?: string;
	/** How long a poll may take, as reported by n8n. */
	budgetMs?: number;
	/** The name of the node, by which n8n keeps its static data. */
	name?: string;
}

interface Activation {
	workflow: Workflow;
	context: IPollFunctions;
}

/**
 * A workflow with the trigger, as n8n stores and polls it. `startEngine` must have run.
 *
 * n8n's database is simulated as JSON, separate from the memory of its process: n8n saves the
 * static data after an activation and with every emission, but not after a poll without one
 * (n8n, active-workflow-manager.js and trigger-execution-context.factory.js).
 */
export class TriggerWorkflow {
	private readonly saved: Saved = {
		credentialId: '1',
		budgetMs: 300_000,
		name: 'New Asset or Voice',
	};
	private readonly id = randomUUID();
	private database = '{}';
	private activation?: Activation;

	/** @param credentials may be changed while the workflow is active, as in n8n */
	constructor(
		parameters: INodeParameters,
		readonly credentials: Credentials,
	) {
		this.saved.parameters = parameters;
	}

	/** Activates the workflow; n8n polls immediately. An error in that poll prevents activation. */
	async activate(mode: WorkflowActivateMode = 'activate'): Promise<INodeExecutionData[]> {
		const activation = this.begin('trigger', mode);
		this.activation = activation;
		const items = await poll(activation.context);
		this.save(activation);
		return items;
	}

	/** Restarts n8n: only what is in the database is left. */
	async restart(): Promise<INodeExecutionData[]> {
		return await this.activate('init');
	}

	/** Changes what n8n reads the next time it begins. */
	change(changes: Saved): void {
		Object.assign(this.saved, changes);
	}

	/** Publishes the workflow again while it is active, with or without changes. */
	async update(changes: Saved = {}): Promise<INodeExecutionData[]> {
		this.change(changes);
		return await this.activate('update');
	}

	/** A poll in n8n's own process, with the same context as the one before. */
	async poll(): Promise<INodeExecutionData[]> {
		const activation = this.activation!;
		const items = await poll(activation.context);
		if (items.length > 0) this.save(activation);
		return items;
	}

	/**
	 * A poll of n8n's durable scheduler: everything is read from the database and, if it succeeds,
	 * written back (N8N_POLLER_DURABLE_CURSORS_ENABLED).
	 */
	async pollDurably(): Promise<INodeExecutionData[]> {
		const items = await this.pollWithFreshContext();
		this.save(this.activation!);
		return items;
	}

	/** The same without durable cursors: written back only if the poll emits. */
	async pollWithFreshContext(): Promise<INodeExecutionData[]> {
		this.activation = this.begin('trigger', 'update');
		return await this.poll();
	}

	/** The same, but n8n discards what it returns, because the poll took too long. */
	async pollInVain(): Promise<void> {
		const { context } = this.begin('trigger', 'update');
		await poll(context);
	}

	/** The context of a poll, for what makes requests as a poll does. */
	createContext(): IPollFunctions {
		return this.begin('trigger', 'update').context;
	}

	/** "Fetch test event" in the editor. */
	async fetchTestEvent(): Promise<INodeExecutionData[]> {
		const { workflow, context } = this.begin('manual', 'manual');
		const before = JSON.stringify(workflow.staticData);
		const items = await poll(context);
		if (JSON.stringify(workflow.staticData) !== before) throw new Error('The static data changed');
		return items;
	}

	/** The trigger's current state, as n8n would store it. */
	memory(): string {
		return this.activation ? JSON.stringify(this.activation.workflow.staticData) : this.database;
	}

	private save({ workflow }: Activation): void {
		this.database = JSON.stringify(workflow.staticData);
	}

	private begin(mode: WorkflowExecuteMode, activationMode: WorkflowActivateMode): Activation {
		const { parameters = {}, credentialId = '', name = '' } = this.saved;
		const node: INode = {
			...createAvatarStudioNode(structuredClone(parameters)),
			name,
			type: TRIGGER,
			credentials: { [CREDENTIAL]: { id: credentialId, name: 'Avatar Studio account' } },
		};
		const workflow = new Workflow({
			id: this.id,
			nodes: [node],
			connections: {},
			nodeTypes,
			active: mode === 'trigger',
			staticData: JSON.parse(this.database) as IDataObject,
		});
		const additional = createAdditionalData(this.credentials);
		const setup = [workflow, node, additional, mode, activationMode] as const;
		const defaults = [undefined, undefined, undefined, undefined, undefined] as const;
		const context = new PollContext(...setup, ...defaults, () => this.saved.budgetMs!);
		return { workflow, context };
	}
}

async function poll(context: IPollFunctions): Promise<INodeExecutionData[]> {
	const outputs = await nodeTypes.getByName(TRIGGER).poll!.call(context);
	// n8n starts an execution for any result but null.
	if (outputs !== null && !outputs[0]?.length) throw new Error('It would run for nothing');
	return outputs?.[0] ?? [];
}
