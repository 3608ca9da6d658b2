import { isVersion1 } from '../../../n8n/installation';
import { createSpeech as speechParameters } from '../../support/parameters';
import { callWebhook, webhook } from '../production/webhook';
import { connectInOrder, rows, useN8n, type Part } from '../runningN8n';
import { n8nVersion } from '../servers';

const n8n = useN8n();

const createSpeech = (script: string): Part =>
	n8n.studio('Create speech', speechParameters({ script }));

/** Publishes a workflow that only n8n calls. n8n 1.x needs and allows no such thing. */
async function publishCalled(id: string): Promise<void> {
	if (!isVersion1(n8nVersion())) await n8n.publish(id);
}

test('A workflow that is called by another one returns the output of each item', async () => {
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
	expect(items.Call!.map(({ id }) => scripts.get(id as string))).toEqual(['Script 1', 'Script 2']);
	expect(scripts.size).toBe(2);
});

test('An error workflow reads what went wrong', async () => {
	const onError = { name: 'On error', type: 'n8n-nodes-base.errorTrigger', parameters: {} };
	const text = '$json.execution.lastNodeExecuted + ": " + $json.execution.error.message';
	const handler = [onError, createSpeech(`={{ ${text} }}`)];
	const handlerId = await n8n.newWorkflow('Say the error', handler, connectInOrder(handler));
	await publishCalled(handlerId);
	const { part, path } = webhook();
	const parts = [part, createSpeech('={{ $json.body.script }}')];
	const settings = { errorWorkflow: handlerId };
	await n8n.publish(await n8n.newWorkflow('Fails', parts, connectInOrder(parts), settings));
	const { status } = await callWebhook(`${n8n.session.url}/webhook/${path}`, {});
	const { body } = await n8n.waitForRequestBy(handlerId, '/v1/speech');

	expect(status).toBe(500);
	expect(body).toMatchObject({
		script: expect.stringContaining('Create speech: Script is empty'),
	});
});
