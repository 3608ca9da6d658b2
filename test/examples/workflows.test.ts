import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { readExamples } from '../../n8n/examples';
import { startsByItself, type Workflow, type WorkflowNode } from '../../n8n/workflow';
import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';

// Including the name below it.
const NODE_SIZE = 140;
const node = new AvatarStudio().description;
const trigger = new AvatarStudioTrigger().description;
/** By node type as used in workflows; n8n derives the tool from the node. */
const descriptions: Record<string, INodeTypeDescription> = {
	[`n8n-nodes-avatar-studio.${node.name}`]: node,
	[`n8n-nodes-avatar-studio.${node.name}Tool`]: node,
	[`n8n-nodes-avatar-studio.${trigger.name}`]: trigger,
};
const workflows = readExamples().map((workflow): [string, Workflow] => [workflow.name, workflow]);
const studioNodes = workflows.flatMap(([title, { nodes }]) =>
	nodes
		.filter(({ type }) => type.startsWith('n8n-nodes-avatar-studio.'))
		.map((studioNode): [string, WorkflowNode] => [`${title} › ${studioNode.name}`, studioNode]),
);

/** The parameters the editor shows for this node's resource and operation. */
function shown({ parameters, type, typeVersion }: WorkflowNode): INodeProperties[] {
	const values = parameters as INodeParameters;
	const description = descriptions[type]!;
	return description.properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, { typeVersion }, description),
	);
}

function isExpression(value: unknown): boolean {
	return typeof value === 'string' && value.startsWith('=');
}

/** What is wrong with a value; empty if it is valid for the parameter. */
function faults(property: INodeProperties, value: unknown): string[] {
	const where = property.name;
	if (property.type === 'collection') {
		const known = (property.options ?? []).map((option) => option.name);
		return Object.keys(value as object)
			.filter((key) => !known.includes(key))
			.map((key) => `${where}.${key} is unknown`);
	}
	if (property.type === 'resourceLocator') {
		const { __rl, mode, value: chosen } = value as { __rl?: boolean; mode: string; value: string };
		if (!__rl || !chosen) return [`${where} is not a resource locator with a value`];
		return property.modes?.some(({ name }) => name === mode) ? [] : [`${where}: mode ${mode}`];
	}
	if (isExpression(value)) return [];
	if (property.type === 'options') {
		const known = (property.options as INodePropertyOptions[]).map((option) => option.value);
		return known.includes(value as string) ? [] : [`${where}: ${String(value)} is not an option`];
	}
	const type = { string: 'string', number: 'number', boolean: 'boolean' }[property.type as string];
	return !type || typeof value === type ? [] : [`${where} is not a ${type}`];
}

describe('the example workflows', () => {
	it('have unique IDs', () => {
		expect(new Set(workflows.map(([, { id }]) => id)).size).toBe(workflows.length);
	});

	it.each(workflows)('%s: nodes and connections are consistent', (_title, workflow) => {
		const names = workflow.nodes.map(({ name }) => name);
		const connected = Object.entries(
			workflow.connections as Record<string, Record<string, { node: string }[][]>>,
		).flatMap(([from, kinds]) => [
			from,
			...Object.values(kinds)
				.flat(2)
				.map((to) => to.node),
		]);

		expect(new Set(names).size).toBe(names.length);
		expect(new Set(workflow.nodes.map(({ id }) => id)).size).toBe(names.length);
		expect(connected.filter((name) => !names.includes(name))).toEqual([]);
		expect(workflow).toMatchObject({ active: false, settings: { executionOrder: 'v1' } });
	});

	it.each(workflows)('%s: a note says what to do and covers no node', (title, { nodes }) => {
		const [note, ...more] = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		const { width, height } = note!.parameters as Record<string, number>;
		const [left, top] = note!.position;
		const covered = nodes.filter(
			({ id, position: [x, y] }) =>
				id !== note!.id &&
				x + NODE_SIZE > left &&
				x < left + width! &&
				y + NODE_SIZE > top &&
				y < top + height!,
		);

		expect(more).toEqual([]);
		// What n8n requires of a template.
		const content = String(note!.parameters.content);
		expect(content.split('\n\n')[0]).toBe(`## ${title}`);
		expect(content).toContain('\n### How it works\n\n1. ');
		expect(content).toContain('\n### Requirements\n\n- Self-hosted n8n with the community node ');
		expect(content).toContain('\n### Set up\n\n1. ');
		expect(content).toContain('\n### Customize\n\n');
		expect(covered.map(({ name }) => name)).toEqual([]);
	});

	it('use only built-in nodes and this one', () => {
		const types = workflows.flatMap(([, { nodes }]) => nodes.map(({ type }) => type));

		const own = /^(n8n-nodes-(base|avatar-studio)|@n8n\/n8n-nodes-langchain)\./;
		expect(types.filter((type) => !own.test(type))).toEqual([]);
	});

	it('are published only if a trigger requires it', () => {
		const published = workflows.filter(([, workflow]) => startsByItself(workflow));

		expect(published.map(([title]) => title)).toEqual([
			'Create a talking-avatar video from a form',
			'Let an AI agent write a script and review it before the video',
			'Create a video about each new picture',
			'Rename assets by a rule every night',
			'Create a talking-avatar video from a webhook',
		]);
	});

	it.each(studioNodes)(
		'%s: uses only parameters that the node has, with valid values',
		(_title, studioNode) => {
			const { parameters, type } = studioNode;
			const properties = shown(studioNode);
			// n8n adds these to every polling trigger and to every tool.
			const added = descriptions[type]!.polling ? ['pollTimes'] : [];
			if (type.endsWith('Tool')) added.push('descriptionType', 'toolDescription');
			const names = [...added, ...properties.map(({ name }) => name)];
			const wrong = properties
				.filter(({ name }) => name in parameters)
				.flatMap((property) => faults(property, parameters[property.name]));

			expect(Object.keys(parameters).filter((name) => !names.includes(name))).toEqual([]);
			expect(wrong).toEqual([]);
		},
	);
});
