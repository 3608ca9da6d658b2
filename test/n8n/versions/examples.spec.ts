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
	it.each(readExamples().map((workflow) => [workflow.name, workflow] as const))(
		'do what they are for: %s',
		async (_name, workflow) => {
			const { passed, summary } = await checkExample(workflow, session, services.service);
			expect(passed ? '' : summary).toBe('');
		},
	);
});
