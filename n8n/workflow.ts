/** A credential as n8n imports it, with plain data. */
export interface Credential {
	id: string;
	name: string;
	type: string;
	data: Record<string, unknown>;
}

/** A workflow in n8n's export format. */
export interface Workflow {
	id: string;
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	/** Sample output by node name, used instead of running the node in manual executions. */
	pinData?: Record<string, { json: Record<string, unknown> }[]>;
	settings?: Record<string, unknown>;
}

/** A node of a workflow. */
export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [x: number, y: number];
	parameters: Record<string, unknown>;
	disabled?: boolean;
	credentials?: Record<string, { id: string; name: string }>;
}

const SELF_STARTING = /\.(webhook|scheduleTrigger|formTrigger|avatarStudioTrigger)$/;

/**
 * Whether a workflow has a trigger that works only after the workflow is published, and no node
 * that still needs an account: such a node has pinned sample data.
 */
export function startsByItself({ nodes, pinData = {} }: Workflow): boolean {
	const isTrigger = ({ type, disabled }: WorkflowNode) => !disabled && SELF_STARTING.test(type);
	return nodes.some(isTrigger) && !nodes.some((node) => node.name in pinData && !isTrigger(node));
}
