import type { INodeTypeDescription } from 'n8n-workflow';

import { checkExample } from '../../../n8n/checkExample';
import { readExamples, startExampleServices, type ExampleServices } from '../../../n8n/examples';
import type { WorkflowNode } from '../../../n8n/workflow';
import { connect, getServer } from '../servers';

const session = connect();
let services: ExampleServices;
let types: INodeTypeDescription[];

beforeAll(async () => {
	services = await startExampleServices(getServer().ports!);
	const response = await session.fetch('/types/nodes.json');
	types = (await response.json()) as INodeTypeDescription[];
});

afterAll(async () => await services.close());

describe('Example workflows', () => {
	it('are listed with the one to start with first', async () => {
		// The editor sorts by "updatedAt", which a run may change; both are set by the import.
		const listed = await session.rest<{ id: string }[]>('GET', '/workflows?sortBy=createdAt:desc');
		const examples = readExamples().map(({ id }) => id);
		expect(listed.find(({ id }) => examples.includes(id))?.id).toBe(examples[0]);
	});

	it.each(readExamples().map((workflow) => [workflow.name, workflow] as const))(
		'%s: this n8n has all its nodes and fields, and it does what it is for',
		async (_name, workflow) => {
			expect(workflow.nodes.flatMap(findUnknown)).toEqual([]);
			const { passed, summary } = await checkExample(workflow, session, services.service);
			expect(passed ? '' : summary).toBe('');
		},
	);
});

function findUnknown(node: WorkflowNode): string[] {
	const { name, type, typeVersion, parameters } = node;
	const description = types.find(
		(candidate) => candidate.name === type && [candidate.version].flat().includes(typeVersion),
	);
	if (!description) return [`${name}: ${type} ${typeVersion}`];
	const known = description.properties.map((property) => property.name);
	return Object.keys(parameters)
		.filter((parameter) => !known.includes(parameter))
		.map((parameter) => `${name}: ${parameter}`);
}
