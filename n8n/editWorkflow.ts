import assert from 'node:assert/strict';

import { findDataTable, type DataTable } from './dataTable';
import { isVersion1 } from './installation';
import type { Session } from './session';
import type { Workflow, WorkflowNode } from './workflow';

/** Selects the tables in the nodes of a workflow, which users of n8n 1.x must do after the import. */
export async function selectTables(workflowId: string, n8n: Session): Promise<void> {
	if (!isVersion1(n8n.version)) return;
	await changeNodes(workflowId, n8n, async (nodes) => {
		for (const { parameters } of nodes.filter(({ parameters }) => 'dataTableId' in parameters)) {
			const { value } = parameters.dataTableId as { value: string };
			const { id } = await requireTable(n8n, value);
			parameters.dataTableId = { __rl: true, mode: 'id', value: id };
		}
	});
}

/** Lets a function change the nodes of a workflow, and saves them. */
export async function changeNodes(
	workflowId: string,
	n8n: Session,
	change: (nodes: WorkflowNode[]) => void | Promise<void>,
): Promise<void> {
	const path = `/workflows/${workflowId}`;
	const { nodes, connections, versionId } = await n8n.rest<Workflow & { versionId: string }>(
		'GET',
		path,
	);
	await change(nodes);
	await n8n.rest('PATCH', path, { nodes, connections, versionId });
}

export async function requireTable(n8n: Session, name: string): Promise<DataTable> {
	const table = await findDataTable(n8n, name);
	assert(table, `there is no table "${name}"`);
	return table;
}
