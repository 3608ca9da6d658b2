import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { readExamples } from '../../n8n/examples';
import type { WorkflowNode } from '../../n8n/workflow';
import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';

/** Parameters that n8n adds to every polling trigger and to every tool. */
const ADDED = ['pollTimes', 'descriptionType', 'toolDescription'];
const examples = readExamples();

/** What is wrong with the parameters of a node of this package. */
function findFaults(node: WorkflowNode): unknown[] {
	const parameters = node.parameters as INodeParameters;
	const isTrigger = node.type.endsWith('Trigger');
	const { description } = isTrigger ? new AvatarStudioTrigger() : new AvatarStudio();
	const shown = description.properties.filter((property) =>
		NodeHelpers.displayParameter(parameters, property, node, description),
	);
	const known = [...ADDED, ...shown.map(({ name }) => name)];
	const unknown = Object.keys(parameters).filter((name) => !known.includes(name));
	const options = shown.flatMap(({ name, type, options = [] }) => {
		if (type !== 'collection') return [];
		const names = options.map((option) => option.name);
		return Object.keys(parameters[name] ?? {}).filter((option) => !names.includes(option));
	});
	const issues = NodeHelpers.getNodeParametersIssues(shown, node as never, description);
	return [...unknown, ...options, ...Object.values(issues?.parameters ?? {})];
}

describe.each(examples)('$file', ({ name: title, nodes, ...workflow }) => {
	it('has IDs of its own, uses only built-in nodes beside these, and is not published', () => {
		expect(examples.filter(({ id }) => id === workflow.id)).toHaveLength(1);
		expect(new Set(nodes.map((node) => node.name)).size).toBe(nodes.length);
		expect(new Set(nodes.map((node) => node.id)).size).toBe(nodes.length);
		expect(workflow).toMatchObject({ active: false, settings: { executionOrder: 'v1' } });
		const own = /^(n8n-nodes-(base|avatar-studio)|@n8n\/n8n-nodes-langchain)\./;
		expect(nodes.filter(({ type }) => !own.test(type))).toEqual([]);
	});

	it('has a note as n8n requires of a template, to the left of its nodes', () => {
		const [note, ...more] = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
		expect(more).toEqual([]);
		const { width, content } = note!.parameters as { width: number; content: string };
		const others = nodes.filter((node) => node !== note);
		const left = Math.min(...others.map(({ position: [x] }) => x));
		expect(note!.position[0] + width).toBeLessThan(left);
		const sections = ['### How it works\n\n1. ', '### Requirements', '### Set up', '### Customize'];
		const headings = sections.map((section) => `\n${section}`).join('[^]*');
		expect(content).toMatch(new RegExp(`^## ${title}\n[^]*${headings}`));
	});

	it.each(nodes.filter(({ type }) => type.startsWith('n8n-nodes-avatar-studio.')))(
		'$name uses only parameters that the node has, with valid values',
		(node) => expect(findFaults(node)).toEqual([]),
	);
});
