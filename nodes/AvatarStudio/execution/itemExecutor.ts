import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { addItemNumber, formatErrorText, formatMessage, toNodeError } from '../errors/nodeError';
import { combineOutcomes, toUserError, type UserError } from '../errors/userError';

import type { Entries } from './collection';
import { createItem } from './createItem';
import { maySendAgain } from './createOnce';
import { addCreated, addOtherItems, addOutcome } from './creationErrors';
import type { Field } from './field';
import { makeRequest, showRequests } from './makeRequest';
import { countItems, getRun, isTool, type FileKind, type Item, type ItemState } from './nodeRun';

export interface OperationRules {
	fields: Field[];
	/** Those of the collections of the whole node: the operation refuses what it does not have. */
	entries?: Entries;
	/** What the operation creates, such as "The video". A creation that may exist is not repeated. */
	createdName?: string;
	/** What its file is, if it creates or looks up a video or a speech. */
	fileKind?: FileKind;
	/**
	 * Completes the request. A run that stops at the first error sends nothing before all items have done
	 * this, unless Batching is set.
	 */
	prepare?: (item: Item) => void | Promise<void>;
	/** Makes the requests of an item and returns its output items. If not set, one request is made. */
	execute?: (item: Item) => Promise<INodeExecutionData[]>;
	/**
	 * What follows a creation: gets the items of the response and returns the output items. If it throws,
	 * the error says what was created, and Retry On Fail makes only this step again.
	 */
	afterCreation?: (item: Item, created: INodeExecutionData[]) => Promise<INodeExecutionData[]>;
}

/**
 * Builds the function that n8n calls for each input item instead of sending a request by itself
 * (`routing.operations.pagination`; n8n-core 2.41.1, routing-node.js). It links output items to their input
 * item, which n8n does by their number alone (findings/rows-are-linked-by-their-number). An error is
 * an item as well if the node continues or is a tool, else a NodeApiError.
 */
export function buildItemExecutor(operation: OperationRules) {
	return async function (
		this: IExecutePaginationFunctions,
		{ options }: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const state = getRun(this).enter(this.getInputData());
		try {
			state.result ??= executeItem(this, state, operation, options);
			const items = await state.result;
			// n8n modifies the items it receives (n8n-core 2.41.1, workflow-execute.js), and these are kept
			// for Retry On Fail.
			return items.map((output) => ({ ...output, pairedItem: { item: this.getItemIndex() } }));
		} catch (thrown) {
			const isCreation = operation.createdName !== undefined;
			return [await reportError(this, state, isCreation, toUserError(thrown))];
		}
	};
}

async function executeItem(
	context: IExecutePaginationFunctions,
	state: ItemState,
	operation: OperationRules,
	declared: DeclarativeRestApiSettings.HttpRequestOptions,
): Promise<INodeExecutionData[]> {
	const { createdName, prepare, execute = makeRequest, afterCreation } = operation;
	let item: Item | undefined;
	let created: INodeExecutionData[];
	try {
		item = await createItem(context, state, operation, declared);
		await prepare?.(item);
		await waitUntilAllArePrepared(context);
		if (item.parameters.dryRun) return await showRequests(item);
		created = await execute(item);
		state.created = created;
	} catch (thrown) {
		throw recordFailure(state, createdName, toUserError(thrown), item?.parameters);
	}
	if (!createdName || !afterCreation) return created;
	return await afterCreation(item, created).catch((thrown: unknown) => {
		// The next try makes the step again: `createOnce` has the items of the creation.
		state.result = undefined;
		throw addCreated(toUserError(thrown, 'done'), createdName, created);
	});
}

/** In a run that stops at its first error, waits until all items are prepared. */
async function waitUntilAllArePrepared(context: IExecutePaginationFunctions): Promise<void> {
	const interval = context.getNodeParameter('requestOptions.batching.batch.batchInterval', 0);
	// With Batching, n8n starts the items at intervals (n8n-core 2.41.1, routing-node.js). Waiting for the
	// others would send them all at once after the last interval.
	const isBatched = Number(interval) > 0;
	const waitsForOthers = !context.continueOnFail() && !isBatched;
	await getRun(context).waitUntilPrepared(waitsForOthers ? countItems(context) : 0);
}

/**
 * Adds a failure to the outcome of its item, by the table at `Outcome` (errors/userError.ts). The next try
 * gets the same failure from `state.result`, unless the item may be executed again.
 *
 * @returns the error to throw, with what is known of a creation
 */
function recordFailure(
	state: ItemState,
	createdName: string | undefined,
	error: UserError,
	parameters?: IDataObject,
): UserError {
	state.outcome = combineOutcomes(state.outcome, error.details.outcome);
	const mayRunAgain = createdName === undefined || maySendAgain(error, parameters);
	if (mayRunAgain) state.result = undefined;
	return createdName === undefined ? error : addOutcome(error, createdName, state.outcome);
}

/**
 * @returns the item of an error, if the node continues or is a tool
 * @throws the NodeApiError that ends the run, once the other items in flight have ended
 */
async function reportError(
	context: IExecutePaginationFunctions,
	state: ItemState,
	isCreation: boolean,
	error: UserError,
): Promise<INodeExecutionData> {
	const node = context.getNode();
	const itemIndex = context.getItemIndex();
	const pairedItem = { item: itemIndex };
	const shownIndex = countItems(context) > 1 ? itemIndex : undefined;
	const text = formatErrorText(error, shownIndex);
	if (isTool(node)) return { json: { error: text }, pairedItem };
	if (context.continueOnFail()) {
		const mayExist = isCreation && state.outcome !== 'notDone';
		const item = { json: toErrorJson(error, text, mayExist), pairedItem };
		// By this property, n8n up to 2.35 recognizes a failed item. If it were enumerable, n8n would
		// replace `json` with its message (findings/error-output-goes-by-keys).
		if (node.onError !== 'continueErrorOutput') return item;
		return Object.defineProperty(item, 'error', { value: { message: text } });
	}
	throw await getRun(context).stop(state, (others) => {
		const complete = isCreation ? addOtherItems(error, others) : error;
		const message = addItemNumber(formatMessage(complete), shownIndex);
		return toNodeError(node, complete, message, itemIndex);
	});
}

/**
 * On the error output, n8n puts these fields over those of the input item, which may have a `message` or
 * a `code` of its own (test/execution/items.test.ts). So all but the text are in one field that no other
 * node writes.
 *
 * @param mayExist whether the item may have created something, or certainly has
 */
function toErrorJson(error: UserError, text: string, mayExist: boolean): IDataObject {
	const { code, status } = error.details;
	const errorDetails = {
		message: formatMessage(error),
		...(error.hint && { nextStep: error.hint }),
		code,
		...(status !== undefined && { httpCode: status }),
		mayExist,
	};
	return { error: text, errorDetails };
}
