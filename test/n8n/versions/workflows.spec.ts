import { isVersion1 } from '../../../n8n/installation';
import { createSpeech as speechParameters } from '../../support/parameters';
import { callWebhook, webhook } from '../production/webhook';
import { connectInOrder, useN8n, type Part } from '../runningN8n';
import { n8nVersion } from '../servers';

const n8n = useN8n();

const createSpeech = (script: string): Part =>
	n8n.studio('Create speech', speechParameters({ script }));

test('An error workflow reads what went wrong', async () => {
	const onError = { name: 'On error', type: 'n8n-nodes-base.errorTrigger', parameters: {} };
	const text = '$json.execution.lastNodeExecuted + ": " + $json.execution.error.message';
	const handler = [onError, createSpeech(`={{ ${text} }}`)];
	const handlerId = await n8n.newWorkflow('Say the error', handler, connectInOrder(handler));
	// n8n 1.x needs and allows no such thing.
	if (!isVersion1(n8nVersion())) await n8n.publish(handlerId);
	const { part, path } = webhook();
	const parts = [part, createSpeech('={{ $json.body.script }}')];
	const settings = { errorWorkflow: handlerId };
	await n8n.publish(await n8n.newWorkflow('Fails', parts, connectInOrder(parts), settings));
	const { status } = await callWebhook(`${n8n.session.url}/webhook/${path}`, {});
	const { body } = await n8n.waitForRequestBy(handlerId, '/v1/speech');

	expect(status).toBe(500);
	const script = expect.stringContaining('Create speech: Script is empty');
	expect(body).toMatchObject({ script });
});
