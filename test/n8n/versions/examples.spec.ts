import { checkExample } from '../../../n8n/exampleChecks';
import { readExamples, startExampleServices, type ExampleServices } from '../../../n8n/examples';
import { startsByItself } from '../../../n8n/workflow';
import { connect, world } from '../world';

const session = connect();
let services: ExampleServices;

beforeAll(async () => {
	services = await startExampleServices(world().examplePorts);
	for (const workflow of readExamples().filter(startsByItself)) await session.publish(workflow.id);
});

afterAll(async () => {
	for (const { id } of readExamples().filter(startsByItself)) {
		await session.rest('POST', `/workflows/${id}/deactivate`);
	}
	await services.close();
});

describe('Example workflows', () => {
	it.each(readExamples().map((workflow) => [workflow.name, workflow] as const))(
		'%s',
		async (_name, workflow) => {
			const outcome = await checkExample(workflow, session, services);

			expect(outcome.passed ? '' : outcome.summary).toBe('');
		},
	);
});
