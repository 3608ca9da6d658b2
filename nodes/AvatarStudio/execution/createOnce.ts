import type { IDataObject, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { toUserError, type UserError } from '../errors/userError';

import { isTool, type Item } from './nodeRun';

/** What a request created, and when, in milliseconds since 1970. */
interface Creation {
	items: INodeExecutionData[];
	createdAt: number;
}

type Creations = Map<string, Promise<Creation>>;

const creationsByOwner = new WeakMap<object, Creations>();

/**
 * Sends a request that creates something, unless it was sent before: then its response is returned
 * again, or its error if it may not be sent again. This is needed by an agent's repeated call, by the
 * files of an Upload that were sent already, and by the try that repeats only the step after a creation.
 *
 * Retry On Fail executes the same item again, even if its request succeeded
 * (findings/retry-on-fail-needs-a-stop, findings/success-with-an-error-field-is-retried), so its requests
 * are remembered under its state, by index.
 * The AI Agent node repeats calls of a tool, which share no object but the execution's cancel signal, so
 * their requests are remembered under that, by what they ask for. n8n's standalone Agents, which are no
 * workflow, have no signal, so each of their calls creates.
 *
 * @param index of the request among those of its item
 */
export async function createOnce(
	item: Item,
	index: number,
	send: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const { client, parameters, creationState: state } = item;
	if (!state) return await send();
	const context = client.context as IExecutePaginationFunctions;
	const agentSignal = isTool(context.getNode()) ? context.getExecutionCancelSignal() : undefined;
	const key = agentSignal ? `${await describeRequest(item)} ${index}` : String(index);
	const owner = agentSignal ?? state;
	const creations: Creations = creationsByOwner.get(owner) ?? new Map<string, Promise<Creation>>();
	creationsByOwner.set(owner, creations);
	const sendNow = async () => ({ items: await send(), createdAt: Date.now() });
	const sendAgainIfAllowed = async (thrown: unknown) => {
		if (maySendAgain(toUserError(thrown), parameters)) return await sendNow();
		throw thrown;
	};
	const creation = creations.get(key)?.catch(sendAgainIfAllowed) ?? sendNow();
	creations.set(key, creation);
	const { items, createdAt } = await creation;
	state.outcome = 'done';
	state.createdAt = createdAt;
	return items;
}

/** @returns whether a creation that failed may be sent once more: the table at `Outcome`, userError.ts */
export function maySendAgain(
	{ details: { outcome } }: UserError,
	{ retryUnknownOutcome }: IDataObject = {},
): boolean {
	return outcome === 'notDone' || (outcome === 'unknown' && retryUnknownOutcome === true);
}

/** @returns what two calls of an agent have in common if they ask for the same */
async function describeRequest({ client, parameters, request, requests }: Item): Promise<string> {
	const body = request.body as IDataObject | undefined;
	// Only Upload makes several requests. Each has another link to its file, so the file is known by what
	// the agent entered.
	const wanted = requests ? { ...body, fileUrl: parameters.binaryPropertyName } : body;
	return JSON.stringify([await client.identifyRequest(request), wanted]);
}
