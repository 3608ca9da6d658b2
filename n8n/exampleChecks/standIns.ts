import type { Workflow, WorkflowNode } from '../workflow';

import { editWorkflow, type Context } from './context';

type Json = Record<string, unknown>;

/**
 * Replaces each node that needs an account of another service with an Edit Fields node. It returns
 * the pinned sample output of that node and, in `sent`, the values of its expressions, because n8n
 * evaluates nothing of a pinned node. Triggers and lists of samples stay pinned.
 *
 * @param answers output to return instead of the pinned output, by node name
 */
export async function replaceAccounts(
	context: Context,
	answers: Record<string, Json> = {},
): Promise<void> {
	await editWorkflow(context, (workflow) => {
		const { pinData: samples = {} } = context.workflow;
		for (const [index, node] of workflow.nodes.entries()) {
			const [sample, ...more] = samples[node.name] ?? [];
			if (!sample || more.length > 0 || !hasInput(workflow, node.name)) continue;
			const original = context.workflow.nodes.find(({ name }) => name === node.name)!;
			workflow.nodes[index] = createStandIn(original, answers[node.name] ?? sample.json);
			delete workflow.pinData?.[node.name];
		}
	});
}

function createStandIn({ id, name, position, parameters }: WorkflowNode, answer: Json) {
	const file = parameters.binaryPropertyName ?? parameters.inputDataFieldName;
	const fields: [name: string, value: unknown][] = [
		...Object.entries(answer),
		...findExpressions(parameters, 'sent'),
		...(file ? [['sent.file', `={{ $binary['${file as string}'].fileName }}`] as const] : []),
	].map(([field, value]) => [field, value]);
	const assignments = fields.map(([field, value]) => ({
		id: field,
		name: field,
		...toAssignedValue(value),
	}));
	return {
		id,
		name,
		position,
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { assignments: { assignments }, options: {} },
	};
}

/** Objects become JSON text: in an expression, their braces could be mistaken for its end. */
function toAssignedValue(value: unknown): { type: string; value: unknown } {
	if (Array.isArray(value)) return { type: 'array', value: JSON.stringify(value) };
	if (typeof value === 'object') return { type: 'object', value: JSON.stringify(value) };
	return { type: typeof value, value };
}

function findExpressions(value: unknown, path: string): [path: string, expression: string][] {
	if (typeof value === 'string') return value.startsWith('=') ? [[path, value]] : [];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, entry]) => findExpressions(entry, `${path}.${key}`));
}

function hasInput({ connections }: Workflow, name: string): boolean {
	const outputs = Object.values(connections as Record<string, { main?: { node: string }[][] }>);
	return outputs.some(({ main = [] }) => main.flat().some(({ node }) => node === name));
}
