import type {
	IBinaryData,
	IExecutePaginationFunctions,
	INodeExecutionData,
	IWorkflowDataProxyData,
} from 'n8n-workflow';

/**
 * Whether a file is one of this execution. An expression over data from outside may return an object
 * with the ID of any file that n8n holds, and the service would get a link to it. n8n's ID of a file
 * names its execution, unless it is in a database, or was received by a webhook or from another
 * workflow: such a file must be on an item of an earlier node.
 */
export function isOwnFile(context: IExecutePaginationFunctions, { id = '' }: IBinaryData): boolean {
	const [, workflowId, executionId] =
		/^[\w-]+:workflows\/([^/]+)\/executions\/([^/]+)\/binary_data\/[\w-]+$/.exec(id) ?? [];
	const isOfExecution =
		workflowId !== undefined &&
		workflowId === context.getWorkflow().id &&
		executionId === context.getExecutionId();
	return isOfExecution || isOnItem(context, id);
}

/** An agent's tool has no previous nodes of its own, but those of the agent. */
function isOnItem(context: IExecutePaginationFunctions, id: string): boolean {
	const { source } = context.getExecuteData();
	const previous = (source?.main ?? []).flatMap((link) => link?.previousNode ?? []);
	const parents = [context.getNode().name, ...previous].flatMap((name) =>
		context.getParentNodes(name).map((node) => node.name),
	);
	const proxy = context.getWorkflowDataProxy(context.getItemIndex());
	return [...new Set([...previous, ...parents])]
		.flatMap((name) => getOutput(proxy, name))
		.some(({ binary = {} }) => Object.values(binary).some((file) => file.id === id));
}

/** @returns the items that a node put out in this run; none if it was not executed */
function getOutput({ $ }: IWorkflowDataProxyData, name: string): INodeExecutionData[] {
	try {
		return ($ as (node: string) => { all: () => INodeExecutionData[] })(name).all();
	} catch {
		return [];
	}
}
