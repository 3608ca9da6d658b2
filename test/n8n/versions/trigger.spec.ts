import type { RecordedRequest } from '../../../service/service';
import {
	createLocator,
	createSpeech,
	getAsset,
	importAsset as importParameters,
} from '../../support/parameters';
import { useStack } from '../production/stack';
import { connectInOrder, STUDIO } from '../runningN8n';

// One of its own, to start it again.
const stack = useStack('SQLite');
const { n8n } = stack;

/** n8n accepts no poll time shorter than a minute, but sixty that fire once a minute each. */
const everySecond = {
	item: Array.from({ length: 60 }, (_, second) => ({
		mode: 'custom',
		cronExpression: `${second} * * * * *`,
	})),
};

/** Publishes a workflow that starts on an event and reads the new record; waits for its polls. */
async function publish(event: string, follower: object): Promise<string> {
	const type = `${STUDIO}Trigger`;
	const parts = [
		n8n.studio('Avatar Studio Trigger', { event, pollTimes: everySecond }, { type }),
		n8n.studio('What is new', follower),
	];
	const id = await n8n.newWorkflow('On its own', parts, connectInOrder(parts));
	await n8n.publish(id);
	// The first poll reads the list twice.
	await polls(3);
	return id;
}

/** Imports an asset with a separate workflow, as another user of the account would. */
async function importAsset(): Promise<string> {
	const fileUrl = `${n8n.service.filesUrl}/sized/100`;
	const parameters = importParameters({ name: 'Brand new', fileUrl });
	const { items } = await n8n.runChain(n8n.studio('Import', parameters));
	return items.Import![0]!.id as string;
}

function isPoll({ method, path, query }: RecordedRequest): boolean {
	const isFirstPage = path === '/v1/assets' && query.Page === '0' && query.PageSize !== '1';
	return method === 'GET' && (path === '/v1/voices' || isFirstPage);
}

/** Waits until this many more polls have started, so that all earlier ones are finished. */
async function polls(count: number): Promise<void> {
	for (let left = count; left > 0; left--) {
		const before = new Set(n8n.service.requests);
		await n8n.service.waitForRequest((request) => isPoll(request) && !before.has(request));
	}
}

/** The items that started the executions of a workflow, the latest first. */
async function startedWith(workflowId: string): Promise<{ status: string; names: unknown }[]> {
	const executions = await n8n.executionsOf(workflowId);
	return executions.map(({ status, items }) => ({
		status,
		names: items['Avatar Studio Trigger']?.map(({ name }) => name),
	}));
}

describe('a published workflow with the Avatar Studio Trigger', () => {
	it('starts once for an asset that is imported while it runs, and not for older ones', async () => {
		const workflowId = await publish('assetCreated', getAsset());
		const id = await importAsset();
		await n8n.service.waitForRequest({ path: `/v1/assets/${id}` });
		await polls(3);

		expect(await startedWith(workflowId)).toEqual([{ status: 'success', names: ['Brand new'] }]);
	});

	it('starts once for a voice that is added while it runs', async () => {
		const voiceId = createLocator('={{ $json.voiceId }}');
		const workflowId = await publish('voiceAdded', createSpeech({ voiceId }));
		const added = { ...n8n.service.voices[0]!, voiceId: 'ca-en-GB-nora', name: 'nora' };
		n8n.service.voices = [...n8n.service.voices, added];
		await n8n.service.waitForRequest({ path: '/v1/speech' });
		await polls(3);

		expect(await startedWith(workflowId)).toEqual([{ status: 'success', names: ['Nora'] }]);
	});

	it('starts after a restart of n8n only for what was added meanwhile', async () => {
		const workflowId = await publish('assetCreated', getAsset());
		const known = await importAsset();
		await n8n.service.waitForRequest({ path: `/v1/assets/${known}` });
		await polls(2);

		await stack.main.stop();
		const [missed] = n8n.service.addAssets(1);
		await stack.restartMain();
		await n8n.service.waitForRequest({ path: `/v1/assets/${missed!.id}` });
		await polls(3);

		expect(await startedWith(workflowId)).toEqual([
			{ status: 'success', names: [missed!.name] },
			{ status: 'success', names: ['Brand new'] },
		]);
	});

	it('catches up once the service is available again', async () => {
		const workflowId = await publish('assetCreated', getAsset());
		let isDown = true;
		n8n.service.injectFault({ when: ({ path }) => isDown && path === '/v1/assets', status: 500 });
		const id = await importAsset();
		// A poll that fails has requested the first page twice.
		await polls(3);
		const [failed] = await n8n.executionsOf(workflowId);
		isDown = false;
		await n8n.service.waitForRequest({ path: `/v1/assets/${id}` });
		await polls(2);
		const started = await startedWith(workflowId);

		expect(failed!.error).toContain('The service did not complete the request (500)');
		expect(await n8n.stored(failed!.id)).toContain('Try again later');
		expect(await n8n.stored(failed!.id)).not.toContain(n8n.service.apiKey);
		expect(started.filter(({ status }) => status !== 'error')).toEqual([
			{ status: 'success', names: ['Brand new'] },
		]);
	});
});
