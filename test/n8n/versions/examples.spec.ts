import { checkExample } from '../../../n8n/checkExample';
import { readExamples, startExampleServices, type ExampleServices } from '../../../n8n/examples';
import { connect, getServer } from '../servers';

const session = connect();
let services: ExampleServices;

beforeAll(async () => {
	services = await startExampleServices(getServer().ports!);
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
		'do what they are for: %s',
		async (_name, workflow) => {
			const { passed, summary } = await checkExample(workflow, session, services.service);
			expect(passed ? '' : summary).toBe('');
		},
	);
});
