import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NodeHelpers, type INodeParameters, type INodeTypeDescription } from 'n8n-workflow';

import { readExamples } from '../../n8n/examples';
import type { WorkflowNode } from '../../n8n/workflow';
import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';
import { AvatarStudioTrigger } from '../../nodes/AvatarStudio/AvatarStudioTrigger.node';

const PACKAGE = 'n8n-nodes-avatar-studio.';
const MAX_LINES = 250;
const MAX_NODES = 12;
// Including the name below it.
const NODE_SIZE = 140;
const NOTE = 'n8n-nodes-base.stickyNote';
const examples = readExamples();

function getDescription({ type }: WorkflowNode): INodeTypeDescription {
	return (type.endsWith('Trigger') ? new AvatarStudioTrigger() : new AvatarStudio()).description;
}

/** What is wrong with the parameters of a node of this package. */
function findFaults(node: WorkflowNode): unknown[] {
	const description = getDescription(node);
	const { parameters, typeVersion } = node;
	const shown = description.properties.filter((property) =>
		NodeHelpers.displayParameter(
			parameters as INodeParameters,
			property,
			{ typeVersion },
			description,
		),
	);
	// n8n adds these to every polling trigger and to every tool.
	const known = [
		'pollTimes',
		'descriptionType',
		'toolDescription',
		...shown.map(({ name }) => name),
	];
	const unknown = Object.keys(parameters).filter((name) => !known.includes(name));
	const options = shown.flatMap(({ name, type, options = [] }) => {
		if (type !== 'collection') return [];
		const names = options.map((option) => option.name);
		return Object.keys(parameters[name] ?? {}).filter((option) => !names.includes(option));
	});
	const issues = NodeHelpers.getNodeParametersIssues(shown, node as never, description);
	return [...unknown, ...options, ...Object.values(issues?.parameters ?? {})];
}

test('The examples have unique IDs', () => {
	expect(new Set(examples.map(({ id }) => id)).size).toBe(examples.length);
});

describe.each(examples)('$file', ({ file, name: title, nodes, connections, ...workflow }) => {
	it('is small enough to be read', () => {
		const json = readFileSync(join(__dirname, '../../examples', `${file}.json`), 'utf8');
		expect(json.split('\n').length - 1).toBeLessThanOrEqual(MAX_LINES);
		expect(nodes.length).toBeLessThanOrEqual(MAX_NODES);
	});

	it('connects nodes that it has, is not published, and uses only built-in nodes beside these', () => {
		const names = nodes.map(({ name }) => name);
		const outputs = connections as Record<string, Record<string, { node: string }[][]>>;
		const connected = Object.values(outputs).flatMap((kinds) => Object.values(kinds).flat(2));
		expect(names).toEqual(
			expect.arrayContaining([...Object.keys(outputs), ...connected.map(({ node }) => node)]),
		);
		expect(new Set(names).size).toBe(names.length);
		expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
		expect(workflow).toMatchObject({ active: false, settings: { executionOrder: 'v1' } });
		const own = /^(n8n-nodes-(base|avatar-studio)|@n8n\/n8n-nodes-langchain)\./;
		expect(nodes.filter(({ type }) => !own.test(type))).toEqual([]);
	});

	it('has a note as n8n requires of a template, which covers no node', () => {
		const [note, ...more] = nodes.filter(({ type }) => type === NOTE);
		expect(more).toEqual([]);
		const { width, height, content } = note!.parameters as Record<string, number>;
		const [left, top] = note!.position;
		const covered = nodes.filter(({ type, position: [x, y] }) => {
			const isBeside = x + NODE_SIZE <= left || x >= left + width!;
			return type !== NOTE && !isBeside && y + NODE_SIZE > top && y < top + height!;
		});
		expect(covered).toEqual([]);
		const sections = ['### How it works\n\n1. ', '### Requirements', '### Set up', '### Customize'];
		const headings = sections.map((section) => `\n${section}`).join('[^]*');
		expect(content).toMatch(new RegExp(`^## ${title}\n[^]*${headings}`));
	});

	it.each(nodes.filter(({ type }) => type.startsWith(PACKAGE)))(
		'$name uses only parameters that the node has, with valid values',
		(node) => expect(findFaults(node)).toEqual([]),
	);
});
