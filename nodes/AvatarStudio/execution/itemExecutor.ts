import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import { Client } from '../client/client';
import { encodePathSegment } from '../client/encodePathSegment';
import type { Request, RequestSettings } from '../client/send';
import { addItemNumber, formatErrorText, formatMessage, toNodeError } from '../errors/nodeError';
import { toUserError, type UserError } from '../errors/userError';

import { isRepeatable } from './createOnce';
import type { Item } from './item';
import {
	countItems,
	getRun,
	isBatched,
	isTool,
	type ItemState,
	type NodeRun,
	type StoppedRun,
} from './nodeRun';
import { readParameters, type Field } from './parameters';
import { toRejectedFieldsError } from './rejectedFieldsError';
import { requestItems, showRequests } from './requestItems';

/** How an operation executes its items. */
export interface OperationRules {
	/**
	 * The operation's fields. Those that the route names in braces are sent in its path, the others
	 * in the query of a GET or in the body of any other method, unless they are local.
	 */
	fields: Field[];
	/** What the operation creates, if it creates something. */
	creates?: CreationTexts;
	/** Completes the request; in a run that stops at the first error, before that of any item is sent without Batching. */
	prepare?: (item: Item) => void | Promise<void>;
	/** Executes an item and returns its output items, if that takes more than sending its request. */
	execute?: (item: Item) => Promise<INodeExecutionData[]>;
}

/** What messages call what an operation creates, and where to look for it. */
interface CreationTexts {
	/** "The video" */
	subject: string;
	/** "in the studio application" */
	lookFor: string;
}

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
	return async function (
		this: IExecutePaginationFunctions,
		{ options }: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const index = this.getItemIndex();
		const node = this.getNode();
		const run = getRun(this);
		const stopsAtError = !isTool(node) && !this.continueOnFail();
		const state = run.enter(this.getInputData());
		let item = undefined as Item | undefined;
		try {
			const items = await run.execute(
				state,
				async () => {
					item = await prepareItem(this, run, operation, options, state);
					// With Batching, n8n holds the others back.
					if (stopsAtError) {
						await run.waitForOthers(state, isBatched(this) ? 1 : countItems(this));
					}
					if (item.parameters.dryRun) return await showRequests(item);
					return await (operation.execute ?? requestItems)(item);
				},
				(error) => !operation.creates || isRepeatable(error, item?.parameters),
			);
			for (const output of items) output.pairedItem = { item: index };
			return items;
		} catch (thrown) {
			const error = describeError(toUserError(thrown), operation, state, options.url, item);
			const isOnlyItem = isTool(node) || countItems(this) === 1;
			const text = formatErrorText(error, isOnlyItem ? undefined : index);
			if (isTool(node)) return [{ json: { error: text }, pairedItem: { item: index } }];
			if (!stopsAtError) return [toErrorItem(node, error, text, index, mayExist(state, operation))];
			// n8n shows the error of the first item, so each item throws that of the one that failed.
			const stopped = await run.stop({ error, itemIndex: index, state });
			const { itemIndex } = stopped;
			const described = addOtherItems(stopped, operation);
			const message = addItemNumber(formatMessage(described), isOnlyItem ? undefined : itemIndex);
			throw toNodeError(node, described, message, itemIndex);
		}
	};
}

async function prepareItem(
	context: IExecutePaginationFunctions,
	run: NodeRun,
	{ fields, creates, prepare }: OperationRules,
	declared: DeclarativeRestApiSettings.HttpRequestOptions,
	state: ItemState,
): Promise<Item> {
	const { method = 'GET', url = '', headers } = declared;
	const { proxy, skipSslCertificateValidation } = declared as RequestSettings;
	// What is declared is five minutes if the user sets none.
	const { timeout = 0 } = context.getNodeParameter('requestOptions', {}) as { timeout?: number };
	const settings = { proxy, skipSslCertificateValidation, timeout: timeout || undefined };
	const { values, payload, customPayload, finders } = readParameters(context, fields);
	// The calls of a tool share a run on older n8n versions, and records change between them.
	const shared = isTool(context.getNode()) ? undefined : run.sharedLists;
	const client = new Client(context, run.requestQueue, settings, shared);
	for (const [name, findId] of Object.entries(finders)) {
		const text = values[name] as string;
		// What an earlier attempt found may have another name since.
		const id = state.ids[`${name} ${text}`] ?? (await findId(text, client));
		// What stands for itself may only not have been found.
		if (id !== text) state.ids[`${name} ${text}`] = id;
		payload[name] = values[name] = id;
	}
	// What is created is remembered by its request: see `createOnce`.
	const earlierOutcome = creates ? undefined : state.outcome;
	const request: Request = { method, url: '', headers, earlierOutcome };
	if (creates) {
		request.timeout = CREATION_TIMEOUT_MS;
		const { waitIfBusyMinutes } = values;
		if (typeof waitIfBusyMinutes === 'number') request.maxWaitMs = waitIfBusyMinutes * 60_000;
	}
	request.url = url.replace(/\{(\w+)\}/g, (_braces, name: string) => {
		delete payload[name];
		return encodePathSegment(values[name]);
	});
	Object.assign(payload, customPayload);
	if (method === 'GET') request.qs = payload;
	else if (Object.keys(payload).length > 0) request.body = payload;
	const item = { client, parameters: values, request, state: creates && state };
	await prepare?.(item);
	return item;
}

/** Whether something that a failed item was to create may exist. */
function mayExist({ outcome }: ItemState, { creates }: OperationRules): boolean {
	return creates !== undefined && outcome !== 'notDone';
}

/**
 * Replaces the general texts of an error if the operation and its values allow better ones.
 *
 * @param route the declared path
 */
function describeError(
	error: UserError,
	operation: OperationRules,
	state: ItemState,
	route = '',
	item?: Item,
): UserError {
	const { creates, fields } = operation;
	if (!creates || !mayExist(state, operation)) {
		return toRejectedFieldsError(error, fields, item?.parameters ?? {}, route);
	}
	const consequence = isRepeatable(error, item?.parameters)
		? ''
		: ', so the request was not sent again';
	// To try again later, as its hint says, would contradict this one.
	const rest = error.code === 'unavailable' ? '' : error.hint;
	return error.with({
		hint: `${creates.subject} may exist anyway${consequence}. Look ${creates.lookFor} before you run this item again. ${rest}`.trim(),
	});
}

/** A run that stops has no output, so the user learns what the other items created nevertheless. */
function addOtherItems(
	{ error, doneCount, uncertainCount }: StoppedRun,
	{ creates }: OperationRules,
): UserError {
	const facts: string[] = [];
	if (doneCount > 0) facts.push(`${countOthers(doneCount)} ${doneCount === 1 ? 'was' : 'were'}`);
	if (uncertainCount > 0) facts.push(`${countOthers(uncertainCount)} may have been`);
	if (!creates || facts.length === 0) return error;
	const hint = `${error.hint} ${facts.join(' and ')} created in this run. Look ${creates.lookFor}. To get the result of each item, set On Error to Continue, in the Settings tab.`;
	return error.with({ hint: hint.trim() });
}

function countOthers(count: number): string {
	return count === 1 ? '1 other item' : `${count} other items`;
}

/**
 * n8n up to 2.35 recognizes a failed item by an `error` property beside `json` only; later versions
 * also by its keys, if they are the three they know. The property must not be enumerable: n8n would
 * replace `json` with its message, whereas the copy with the input's fields merged in drops it
 * (n8n-core, workflow-execute.js).
 */
function toErrorItem(
	{ onError }: INode,
	error: UserError,
	text: string,
	index: number,
	exists: boolean,
): INodeExecutionData {
	const { status } = error.details;
	const json: IDataObject = { error: text, message: formatMessage(error) };
	if (error.hint) json.nextStep = error.hint;
	if (status !== undefined) json.httpCode = status;
	Object.assign(json, { code: error.code, mayExist: exists });
	const item = { json, pairedItem: { item: index } };
	return onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: { message: text } })
		: item;
}
