import type { IDataObject, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { toUserError } from '../errors/userError';

import { isTool, type Item } from './nodeRun';

/** What each item, or the agents of an execution, created. */
const creations = new WeakMap<object, Map<string, Promise<INodeExecutionData[]>>>();

/**
 * Sends a request that creates something, unless it was sent before: then that one's result is
 * returned, or its error if something may have been created. Over all attempts of Retry On Fail, an
 * item's request is known by its number; that of an agent, which repeats calls, by what it asks for.
 * Only n8n's signal lives as long as an execution; n8n Agents have none, and there each call creates.
 */
export async function createOnce(
	{ client, parameters, request: { url, body }, state }: Item,
	number: number,
	send: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	if (!state) return await send();
	const context = client.context as IExecutePaginationFunctions;
	const signal = isTool(context.getNode()) ? context.getExecutionCancelSignal() : undefined;
	const owner = signal ?? state;
	const created = creations.get(owner) ?? new Map<string, Promise<INodeExecutionData[]>>();
	creations.set(owner, created);
	// Each upload has another link to its file.
	const { inputDataFieldName: file, retryUnknownOutcome } = parameters;
	const values = file === undefined ? body : { ...(body as IDataObject), fileUrl: file };
	const wanted = signal && [await client.identifyRequest({ url }), values];
	const key = JSON.stringify([wanted, number]);
	const sendAgain = async (thrown: unknown) => {
		const { outcome } = toUserError(thrown).details;
		if (outcome === 'done' || (outcome === 'unknown' && !retryUnknownOutcome)) throw thrown;
		return await send();
	};
	const creation = created.get(key)?.catch(sendAgain) ?? send();
	created.set(key, creation);
	const items = await creation;
	state.outcome = 'done';
	return items;
}
