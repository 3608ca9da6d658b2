import type {
	DeclarativeRestApiSettings,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { Client } from '../client/client';
import { encodePathSegment } from '../client/encodePathSegment';
import type { Request, RequestSettings } from '../client/send';
import { addItemNumber, formatErrorText, formatMessage, toNodeError } from '../errors/nodeError';
import { combineOutcomes, toUserError } from '../errors/userError';

import type { Item } from './item';
import { addMayExist, addOtherItems, toErrorItem } from './itemErrors';
import { countItems, getRun, isTool, type ItemState, type NodeRun } from './nodeRun';
import { readParameters, type Field } from './parameters';
import { requestItems, showRequests } from './requestItems';

export interface OperationRules {
	/**
	 * The operation's fields. Those that the route names in braces are sent in its path, the others
	 * in the query of a GET or in the body of any other method, unless they are local.
	 */
	fields: Field[];
	/** What it creates, such as "The video": what may exist is not sent again by itself. */
	creates?: string;
	/** Completes the request; in a run that stops at the first error, before that of any item is sent without Batching. */
	prepare?: (item: Item) => void | Promise<void>;
	/** Executes an item and returns its output items, if that takes more than sending its request. */
	execute?: (item: Item) => Promise<INodeExecutionData[]>;
}

interface RequestOptions {
	timeout?: number;
	/** n8n pauses between batches of items instead of starting all at once. */
	batching?: { batch?: { batchInterval?: number } };
}

type DeclaredRequest = DeclarativeRestApiSettings.HttpRequestOptions;

/** The service may render a video before it responds. */
const CREATION_TIMEOUT_MS = 300_000;

/**
 * Builds the function that n8n calls for each input item instead of sending a request by itself
 * (`routing.operations.pagination`; n8n-core, routing-node.js). Everything that all operations
 * share happens here and below: parameters are validated, the run's memory applies, errors are
 * described, and every item is linked to its input item.
 *
 * @returns a function that throws a NodeApiError naming the item, or returns the error as an item
 *   if the node is set to continue or is an AI agent's tool
 */
export function buildItemExecutor(operation: OperationRules) {
	const { creates } = operation;
	return async function (
		this: IExecutePaginationFunctions,
		{ options }: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const itemIndex = this.getItemIndex();
		const pairedItem = { item: itemIndex };
		const node = this.getNode();
		const run = getRun(this);
		const state = run.enter(this.getInputData());
		try {
			state.result ??= executeItem(this, run, state, operation, options);
			const items = await state.result;
			// n8n modifies the items it receives.
			return items.map((output) => ({ ...output, pairedItem }));
		} catch (thrown) {
			const error = toUserError(thrown);
			if (!state.isFinal) state.result = undefined;
			const isOnlyItem = isTool(node) || countItems(this) === 1;
			const text = formatErrorText(error, isOnlyItem ? undefined : itemIndex);
			if (isTool(node)) return [{ json: { error: text }, pairedItem }];
			if (this.continueOnFail()) {
				const mayExist = creates !== undefined && state.outcome !== 'notDone';
				return [toErrorItem(node, error, text, itemIndex, mayExist)];
			}
			// n8n shows the error of the first item, so each item throws that of the one that failed.
			const end = await run.stop({ error, itemIndex, state });
			const first = creates ? addOtherItems(end.error, end.others) : end.error;
			const index = isOnlyItem ? undefined : end.itemIndex;
			const message = addItemNumber(formatMessage(first), index);
			throw toNodeError(node, first, message, end.itemIndex);
		}
	};
}

/** @throws UserError that says all there is to say about this item */
async function executeItem(
	context: IExecutePaginationFunctions,
	run: NodeRun,
	state: ItemState,
	operation: OperationRules,
	declared: DeclaredRequest,
): Promise<INodeExecutionData[]> {
	const { creates, prepare, execute = requestItems } = operation;
	try {
		const options = context.getNodeParameter('requestOptions', {}) as RequestOptions;
		const item = await createItem(context, run, state, operation, declared, options.timeout);
		await prepare?.(item);
		if (!isTool(context.getNode()) && !context.continueOnFail()) {
			// With Batching, n8n holds the others back.
			const isBatched = (options.batching?.batch?.batchInterval ?? 0) > 0;
			await run.waitForOthers(isBatched ? 1 : countItems(context));
		}
		return await (item.parameters.dryRun ? showRequests(item) : execute(item));
	} catch (thrown) {
		const error = toUserError(thrown);
		state.outcome = combineOutcomes(state.outcome, error.details.outcome);
		throw creates && state.outcome !== 'notDone' ? addMayExist(error, creates) : error;
	}
}

async function createItem(
	context: IExecutePaginationFunctions,
	run: NodeRun,
	state: ItemState,
	{ fields, creates }: OperationRules,
	{ method = 'GET', url = '', headers, ...declared }: DeclaredRequest,
	// What is declared is five minutes if the user sets none.
	timeout = 0,
): Promise<Item> {
	const { proxy, skipSslCertificateValidation } = declared as RequestSettings;
	const settings = { proxy, skipSslCertificateValidation, timeout: timeout || undefined };
	const { values, payload, customPayload, finders } = readParameters(context, fields);
	// The calls of a tool share a run on older n8n versions, and records change between them.
	const shared = isTool(context.getNode()) ? undefined : run.sharedLists;
	const client = new Client(context, run.requestQueue, settings, shared);
	for (const [name, findId] of Object.entries(finders)) {
		const text = values[name] as string;
		const id = state.ids.get(text) ?? (await findId(text, client));
		if (id !== text) state.ids.set(text, id);
		payload[name] = values[name] = id;
	}
	const path = url.replace(/\{(\w+)\}/g, (_braces, name: string) => {
		delete payload[name];
		return encodePathSegment(values[name]);
	});
	Object.assign(payload, customPayload);
	const { waitIfBusyMinutes } = values;
	const request: Request = {
		method,
		url: path,
		headers,
		qs: method === 'GET' ? payload : undefined,
		body: method === 'GET' || Object.keys(payload).length === 0 ? undefined : payload,
		timeout: creates ? CREATION_TIMEOUT_MS : undefined,
		// What is created is remembered by its request: see `createOnce`.
		earlierOutcome: creates ? undefined : state.outcome,
		maxWaitMs: typeof waitIfBusyMinutes === 'number' ? waitIfBusyMinutes * 60_000 : undefined,
	};
	return { client, parameters: values, request, state: creates ? state : undefined };
}
