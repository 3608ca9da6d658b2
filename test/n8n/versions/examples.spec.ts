import { checkExample } from '../../../n8n/exampleChecks';
import { readExamples, startExampleService } from '../../../n8n/examples';
import { startsByItself } from '../../../n8n/workflow';
import type { Service } from '../../../service/service';
import { connect, world } from '../world';

const session = connect();
let service: Service;

beforeAll(async () => {
	service = await startExampleService(world().examplePorts);
	for (const workflow of readExamples().filter(startsByItself)) await session.publish(workflow.id);
});

afterAll(async () => {
	for (const { id } of readExamples().filter(startsByItself)) {
		await session.rest('POST', `/workflows/${id}/deactivate`);
	}
	await service.close();
});

beforeEach(() => {
	service.reset();
});

describe('Example workflows', () => {
	it.each(readExamples().map((workflow) => [workflow.name, workflow] as const))(
		'%s',
		async (_name, workflow) => {
			const outcome = await checkExample(workflow, session, service);

			expect(outcome.passed ? '' : outcome.summary).toBe('');
		},
	);
});
