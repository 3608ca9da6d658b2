import type { IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { toUserError, type UserError } from '../errors/userError';

import type { Item } from './item';

const NOTE =
	'Nothing was created by this call: an earlier one in this execution had the same values, and this is its result.';

/** What agents created in each execution, by what they asked for. */
const creations = new WeakMap<AbortSignal, Map<string, Promise<INodeExecutionData[]>>>();

/**
 * Creates something for an agent, unless it repeats an earlier call: then that one's result is
 * returned, which says so, or its error if something may have been created. n8n's signal is the one
 * object that lives as long as the execution (n8n-core, workflow-execute.js); n8n Agents have none,
 * and there each call creates.
 *
 * @param isRepeatable whether a creation that failed may be tried again
 */
export async function createOnce(
	context: IExecutePaginationFunctions,
	{ client, parameters, request: { url, body } }: Item,
	create: () => Promise<INodeExecutionData[]>,
	isRepeatable: (error: UserError) => boolean,
): Promise<INodeExecutionData[]> {
	const signal = context.getExecutionCancelSignal();
	if (!signal) return await create();
	const account = await client.getBaseUrl();
	// The link to an uploaded file, which is in neither of them, is another one each time.
	const key = JSON.stringify([context.getNode().name, account, url, parameters, body]);
	const known = creations.get(signal) ?? new Map<string, Promise<INodeExecutionData[]>>();
	creations.set(signal, known);
	const earlier = known.get(key);
	if (earlier) {
		return (await earlier).map((item) => ({ ...item, json: { note: NOTE, ...item.json } }));
	}
	const created = create();
	known.set(key, created);
	return await created.catch((thrown: unknown) => {
		if (isRepeatable(toUserError(thrown))) known.delete(key);
		throw thrown;
	});
}
