import { checkExample } from '../../../n8n/checkExample';
import { readExamples, startExampleServices, type ExampleServices } from '../../../n8n/examples';
import type { Execution } from '../../../n8n/execution';
import type { RenderingOptions, Video } from '../../../service/service';
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

describe('The execution that waits for a callback', () => {
	const example = readExamples().find(({ file }) => file === 'video-by-callback')!;

	/** Runs a copy of the example, whose Wait node waits for this many seconds at most. */
	async function run(seconds: number, rendering: RenderingOptions): Promise<Execution> {
		services.service.reset();
		services.service.configure({ rendering });
		const { name, nodes, connections, settings } = structuredClone(example);
		const wait = nodes.find((node) => node.type === 'n8n-nodes-base.wait')!;
		Object.assign(wait.parameters, { resumeAmount: seconds, resumeUnit: 'seconds' });
		const copy = { name, nodes, connections, settings, active: false };
		const { id } = await session.rest<{ id: string }>('POST', '/workflows', copy);
		return await session.runWorkflow(id, 'Start by hand');
	}

	it.each([
		['nobody calls back', 2, { callbacks: 0 }],
		['it is called back twice', 3_600, { callbacks: 2 }],
	])('hands on the finished video if %s', async (_case, seconds, rendering) => {
		const { error, items } = await run(seconds, rendering);
		expect(error).toBeUndefined();
		expect(services.service.videos).toHaveLength(1);
		const [{ id }] = services.service.videos as [Video];
		expect(items['Get video']).toMatchObject([{ id, finished: true }]);
	});
});
