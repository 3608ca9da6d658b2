import assert from 'node:assert/strict';

import type { Service } from '../../service/service';
import type { Execution } from '../execution';
import type { ScriptedModel } from '../scriptedModel';
import type { Session } from '../session';
import type { Workflow, WorkflowNode } from '../workflow';

/** The parts of n8n that a check needs. */
export type N8nApi = Pick<Session, 'url' | 'version' | 'rest' | 'runWorkflow' | 'executionsOf'>;

/** The context of a check. The stand-in has just been reset. */
export interface Context {
	workflow: Workflow;
	n8n: N8nApi;
	service: Service;
	model: ScriptedModel;
}

/** Throws unless an execution succeeded and all these nodes returned items. */
export function assertRan(execution: Execution, nodes: string[]): void {
	assert(
		execution.status === 'success',
		`execution ${execution.id} ended with ${execution.status}: ${execution.error ?? 'no message'}`,
	);
	const idle = nodes.filter((node) => !execution.items[node]?.length);
	assert(idle.length === 0, `no items came out of: ${idle.join(', ')}`);
}

/** Returns the node of a workflow with this name. */
export function findNode(workflow: Pick<Workflow, 'nodes'>, name: string): WorkflowNode {
	const node = workflow.nodes.find((candidate) => candidate.name === name);
	assert(node, `there is no node "${name}"`);
	return node;
}

/** Changes a workflow in n8n, as users do in the editor. */
export async function editWorkflow(
	{ workflow: { id }, n8n }: Pick<Context, 'workflow' | 'n8n'>,
	edit: (workflow: Workflow) => void,
): Promise<void> {
	const workflow = await n8n.rest<Workflow & { versionId: string }>('GET', `/workflows/${id}`);
	edit(workflow);
	const { nodes, connections, pinData, versionId } = workflow;
	await n8n.rest('PATCH', `/workflows/${id}`, { nodes, connections, pinData, versionId });
}
