import type { IDataObject, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { toUserError } from '../errors/userError';

import type { Item } from './item';
import { isTool, type ItemState } from './nodeRun';

/** What agents created in each execution, by what they asked for. */
const executions = new WeakMap<AbortSignal, ItemState['creations']>();

/**
 * Sends a request that creates something, unless it was sent before: then that one's result is
 * returned, or its error if something may have been created.
 *
 * An item's requests are known by their number, in all attempts of n8n's Retry On Fail. An agent
 * repeats what it asked for in another call. n8n's signal is the one object that lives as long as its
 * execution (n8n-core, workflow-execute.js); n8n Agents have none, and there each call creates.
 */
export async function createOnce(
	{ client, parameters, request: { url, body }, state }: Item,
	number: number,
	send: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	if (!state) return await send();
	const context = client.context as IExecutePaginationFunctions;
	const signal = isTool(context.getNode()) ? context.getExecutionCancelSignal() : undefined;
	const creations = (signal && executions.get(signal)) ?? state.creations;
	if (signal) executions.set(signal, creations);
	// Each upload has another link to its file.
	const { inputDataFieldName: file, retryUnknownOutcome } = parameters;
	const values = file === undefined ? body : { ...(body as IDataObject), fileUrl: file };
	const wanted = signal && [await client.identifyRequest({ url }), values];
	const key = JSON.stringify([wanted, number]);
	const isRepeatable = (thrown: unknown) => {
		const { outcome } = toUserError(thrown).details;
		return outcome === 'notDone' || (outcome === 'unknown' && retryUnknownOutcome === true);
	};
	const sendAgain = async (thrown: unknown) => {
		if (isRepeatable(thrown)) return await send();
		throw thrown;
	};
	const creation = creations.get(key)?.catch(sendAgain) ?? send();
	creations.set(key, creation);
	const items = await creation.catch((thrown: unknown) => {
		state.isFinal = !isRepeatable(thrown);
		throw thrown;
	});
	state.outcome = 'done';
	return items;
}
