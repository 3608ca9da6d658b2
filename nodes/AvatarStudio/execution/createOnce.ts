import type { IDataObject, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { maySendAgain, toUserError } from '../errors/userError';

import { isTool, type Item } from './nodeRun';

type Creations = Map<string, Promise<INodeExecutionData[]>>;

/** The creations of each owner: an item, or an execution's cancel signal for all calls of its agents. */
const creationsByOwner = new WeakMap<object, Creations>();

/**
 * Sends a request that creates something, unless it was sent before: then its response is returned
 * again, or its error if it may not be sent again. Retry On Fail executes an item again, whose requests
 * are known by their numbers. An agent repeats calls, which are known by what they ask for.
 *
 * An agent's calls share no object but the execution's cancel signal, so they are remembered under that.
 * n8n Agents have no such signal, and there each call creates.
 *
 * @param number which of the item's requests
 */
export async function createOnce(
	item: Item,
	number: number,
	send: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const { client, parameters, state } = item;
	if (!state) return await send();
	const context = client.context as IExecutePaginationFunctions;
	const agentSignal = isTool(context.getNode()) ? context.getExecutionCancelSignal() : undefined;
	const creations = getCreations(agentSignal ?? state);
	const key = agentSignal ? `${await identifyRequest(item)} ${number}` : String(number);
	const sendAgain = async (thrown: unknown) => {
		const retriesUnknown = parameters.retryUnknownOutcome === true;
		if (maySendAgain(toUserError(thrown), retriesUnknown)) return await send();
		throw thrown;
	};
	const creation = creations.get(key)?.catch(sendAgain) ?? send();
	creations.set(key, creation);
	const items = await creation;
	state.outcome = 'done';
	return items;
}

function getCreations(owner: object): Creations {
	const creations: Creations = creationsByOwner.get(owner) ?? new Map<string, never>();
	creationsByOwner.set(owner, creations);
	return creations;
}

/** @returns what two calls of an agent have in common if they ask for the same */
async function identifyRequest({ client, parameters, request }: Item): Promise<string> {
	const body = request.body as IDataObject | undefined;
	const { inputDataFieldName } = parameters;
	// Each upload of a file has another link to it, so the file is known by what the agent entered.
	const wanted = inputDataFieldName === undefined ? body : { ...body, fileUrl: inputDataFieldName };
	return JSON.stringify([await client.identifyRequest(request), wanted]);
}
