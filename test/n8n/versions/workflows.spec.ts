import { isVersion1 } from '../../../n8n/installation';
import { createSpeech as speechParameters } from '../../support/parameters';
import { callWebhook, webhook } from '../production/webhook';
import {
	connectInOrder,
	collect,
	rows,
	startByHand,
	useN8n,
	type Part,
	type Wire,
} from '../runningN8n';
import { n8nVersion } from '../servers';

const n8n = useN8n();

const createSpeech = (script: string): Part =>
	n8n.studio('Create speech', speechParameters({ script }));

/** Publishes a workflow that only n8n calls. n8n 1.x needs and allows no such thing. */
async function publishCalled(id: string): Promise<void> {
	if (!isVersion1(n8nVersion())) await n8n.publish(id);
}

/** The scripts of the speeches the service has created. */
const spoken = () => n8n.service.speeches.map(({ script }) => script);

describe('A workflow with the node starts by', () => {
	it('a webhook, which responds with the output of the node', async () => {
		const { part, path } = webhook();
		const parts = [part, createSpeech('={{ $json.body.script }}')];
		await n8n.publish(await n8n.newWorkflow('Speech per call', parts, connectInOrder(parts)));
		const { status, items } = await callWebhook(`${n8n.session.url}/webhook/${path}`, {
			script: 'Hello!',
		});

		expect(status).toBe(200);
		expect(items).toEqual([
			expect.objectContaining({ id: n8n.service.speeches[0]!.id, audioUrl: expect.any(String) }),
		]);
		expect(spoken()).toEqual(['Hello!']);
	});

	it('a schedule', async () => {
		const schedule: Part = {
			name: 'Every second',
			type: 'n8n-nodes-base.scheduleTrigger',
			typeVersion: 1.2,
			parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
		};
		const parts = [schedule, createSpeech('On time.')];
		const id = await n8n.newWorkflow('On a schedule', parts, connectInOrder(parts));
		await n8n.publish(id);
		await n8n.service.waitForRequest({ path: '/v1/speech' });
		await n8n.rest('POST', `/workflows/${id}/deactivate`);
		const executions = await n8n.executionsOf(id);

		expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
		expect(spoken()).toEqual(executions.map(() => 'On time.'));
	});

	it('another workflow that calls it', async () => {
		const called: Part = {
			name: 'Called',
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			parameters: { inputSource: 'passthrough' },
		};
		const parts = [called, createSpeech('={{ "Script " + $json.row }}')];
		const id = await n8n.newWorkflow('Speech for a caller', parts, connectInOrder(parts));
		await publishCalled(id);
		const call: Part = {
			name: 'Call',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: { workflowId: { __rl: true, mode: 'id', value: id }, options: {} },
		};
		const { status, items } = await n8n.runChain(...rows([{ row: 1 }, { row: 2 }]), call);

		expect(status).toBe('success');
		const scripts = new Map(n8n.service.speeches.map(({ id, script }) => [id, script]));
		expect(items.Call!.map(({ id }) => scripts.get(id as string))).toEqual([
			'Script 1',
			'Script 2',
		]);
		expect(spoken()).toHaveLength(2);
	});
});

describe('The node works in', () => {
	it('a loop over items', async () => {
		const loop: Part = {
			name: 'Loop Over Items',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 2, options: {} },
		};
		const list = rows([1, 2, 3, 4, 5].map((row) => ({ row })));
		const speech = createSpeech('={{ "Script " + $json.row }}');
		const parts = [startByHand, ...list, loop, speech, collect('Done')];
		const wires: Wire[] = [
			...connectInOrder([startByHand, ...list, loop]),
			[loop.name, 'main', 'Done', 0],
			[loop.name, 'main', speech.name, 1],
			[speech.name, 'main', loop.name],
		];
		const { status, items } = await n8n.run(await n8n.newWorkflow('Loop', parts, wires));

		expect(status).toBe('success');
		expect(spoken().sort()).toEqual([1, 2, 3, 4, 5].map((row) => `Script ${row}`));
		expect(items.Done!.map(({ id }) => id).sort()).toEqual(
			n8n.service.speeches.map(({ id }) => id).sort(),
		);
	});

	it('an error workflow, which reads what went wrong', async () => {
		const onError: Part = {
			name: 'On error',
			type: 'n8n-nodes-base.errorTrigger',
			parameters: {},
		};
		const text = '$json.execution.lastNodeExecuted + ": " + $json.execution.error.message';
		const handler = [onError, createSpeech(`={{ ${text} }}`)];
		const handlerId = await n8n.newWorkflow('Say the error', handler, connectInOrder(handler));
		await publishCalled(handlerId);
		const { part, path } = webhook();
		const parts = [part, createSpeech('={{ $json.body.script }}')];
		const settings = { errorWorkflow: handlerId };
		await n8n.publish(await n8n.newWorkflow('Fails', parts, connectInOrder(parts), settings));
		const { status } = await callWebhook(`${n8n.session.url}/webhook/${path}`, {});
		const { body } = await n8n.service.waitForRequest({ path: '/v1/speech' });

		expect(status).toBe(500);
		expect(body).toMatchObject({
			script: expect.stringContaining('Create speech: Script is empty'),
		});
	});
});
