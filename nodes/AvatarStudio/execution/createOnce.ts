import type { IDataObject, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { combineOutcomes, toUserError, type UserError } from '../errors/userError';

import type { Item } from './item';
import { isTool, type Creation } from './nodeRun';

const NOTE =
	'Nothing was created by this call: an earlier one in this execution had the same values, and this is its result.';

/** What agents created in each execution, by what they asked for. */
const executions = new WeakMap<AbortSignal, Map<string, Creation>>();

/**
 * Sends a request that creates something, unless it was sent before: then that one's result is
 * returned, or its error if something may have been created.
 *
 * An item's requests are known by their number, in all attempts of n8n's Retry On Fail. An agent
 * repeats what it asked for in another call, and reads that it did. n8n's signal is the one object
 * that lives as long as its execution (n8n-core, workflow-execute.js); n8n Agents have none, and
 * there each call creates.
 */
export async function createOnce(
	{ client, parameters, request: { url, body }, state }: Item,
	number: number,
	send: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	if (!state) return await send();
	const context = client.context as IExecutePaginationFunctions;
	const signal = isTool(context.getNode()) ? context.getExecutionCancelSignal() : undefined;
	const known = signal && (executions.get(signal) ?? new Map<string, Creation>());
	const creations = known ?? state.creations;
	if (signal) executions.set(signal, creations);
	// Each upload has another link to its file.
	const { inputDataFieldName: file } = parameters;
	const values = file === undefined ? body : { ...(body as IDataObject), fileUrl: file };
	const wanted = signal && [await client.identifyRequest({ url }), values];
	const key = JSON.stringify([wanted, number]);
	const earlier = creations.get(key);
	let isRepetition = signal !== undefined && earlier !== undefined;
	const sendAgain = async (thrown: unknown) => {
		const before = toUserError(thrown);
		if (!isRepeatable(before, parameters)) throw before;
		isRepetition = false;
		return await send().catch((again: unknown) => {
			const error = toUserError(again);
			const outcome = combineOutcomes(before.details.outcome, error.details.outcome);
			throw error.with({ outcome });
		});
	};
	const created = earlier?.catch(sendAgain) ?? send();
	creations.set(key, created);
	const items = await created;
	state.outcome = 'done';
	if (!isRepetition) return items;
	return items.map((output) => ({ ...output, json: { note: NOTE, ...output.json } }));
}

/** Whether a request that was to create something may be sent again: not if that may have been done. */
export function isRepeatable(
	{ details: { outcome } }: UserError,
	{ retryUnknownOutcome }: IDataObject = {},
): boolean {
	return outcome === 'notDone' || (outcome === 'unknown' && retryUnknownOutcome === true);
}
