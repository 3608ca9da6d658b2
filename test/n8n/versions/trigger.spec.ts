import { getAsset } from '../../support/parameters';
import { everySecond, waitForPolls } from '../polls';
import { useStack } from '../production/stack';
import { connectInOrder, STUDIO } from '../runningN8n';

// One of its own, to start it again.
const stack = useStack('SQLite');
const { n8n } = stack;

/** Publishes a workflow that starts on a new asset and reads it; waits for its first polls. */
async function publish(): Promise<string> {
	const parameters = { event: 'assetCreated', pollTimes: everySecond };
	const parts = [
		n8n.studio('Avatar Studio Trigger', parameters, { type: `${STUDIO}Trigger` }),
		n8n.studio('What is new', getAsset()),
	];
	const id = await n8n.newWorkflow('On its own', parts, connectInOrder(parts));
	await n8n.publish(id);
	// The first poll reads the list twice.
	await waitForPolls(n8n.service, 3);
	return id;
}

/** The items that started the executions of a workflow, the latest first. */
async function startedWith(workflowId: string): Promise<{ status: string; names: unknown }[]> {
	const executions = await n8n.session.executionsOf(workflowId);
	return executions.map(({ status, items }) => {
		return { status, names: items['Avatar Studio Trigger']?.map(({ name }) => name) };
	});
}

describe('a published workflow with the Avatar Studio Trigger', () => {
	// n8n 2.41 tries the first poll of a start five times, and then never again.
	it('starts for what was added while n8n was stopped, though the service is down at first', async () => {
		const workflowId = await publish();
		const [known] = n8n.service.addAssets(1);
		await n8n.waitForRequestBy(workflowId, `/v1/assets/${known!.id}`);
		await waitForPolls(n8n.service, 2);

		await stack.main.stop();
		const [missed] = n8n.service.addAssets(1);
		let isDown = true;
		n8n.service.injectFault({ when: () => isDown, status: 500 });
		await stack.restartMain();
		await waitForPolls(n8n.service, 8);
		isDown = false;
		await n8n.service.waitForRequest({ path: `/v1/assets/${missed!.id}` });
		await waitForPolls(n8n.service, 3);

		const started = await startedWith(workflowId);
		expect(started.filter(({ status }) => status !== 'error')).toEqual([
			{ status: 'success', names: [missed!.name] },
			{ status: 'success', names: [known!.name] },
		]);
	});

	it('says in an execution why a poll failed, and catches up once the service is back', async () => {
		const workflowId = await publish();
		let isDown = true;
		n8n.service.injectFault({ when: ({ path }) => isDown && path === '/v1/assets', status: 500 });
		const [added] = n8n.service.addAssets(1);
		// A poll that fails has requested the first page twice.
		await waitForPolls(n8n.service, 3);
		const [failed] = await n8n.session.executionsOf(workflowId);
		isDown = false;
		await n8n.service.waitForRequest({ path: `/v1/assets/${added!.id}` });

		expect(failed!.error).toContain('The service did not complete the request (500)');
		expect(await n8n.stored(failed!.id)).toContain('Try again later');
		expect(await n8n.stored(failed!.id)).not.toContain(n8n.service.apiKey);
	});
});
