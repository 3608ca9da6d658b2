import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { Client } from '../client/client';
import { encodePathSegment } from '../client/encodePathSegment';
import type { Request, RequestSettings } from '../client/send';
import { addItemNumber, formatErrorText, formatMessage, toNodeError } from '../errors/nodeError';
import { combineOutcomes, toUserError, type Outcome, type UserError } from '../errors/userError';

import { makeRequest, showRequests } from './makeRequest';
import { countItems, getRun, isTool, type Item, type ItemState } from './nodeRun';
import { readParameters, type Field } from './parameters';

export interface OperationRules {
	fields: Field[];
	/** What it createdName, such as "The video": what may exist is not sent again by itself. */
	createdName?: string;
	/** Completes the request; in a run that stops at the first error, before any item is sent. */
	prepare?: (item: Item) => void | Promise<void>;
	/** Executes an item and returns its output items, if that takes more than sending its request. */
	execute?: (item: Item) => Promise<INodeExecutionData[]>;
}

/** The service may render a video before it responds. */
const CREATION_TIMEOUT_MS = 300_000;

/**
 * Builds the function that n8n calls for each input item instead of sending a request by itself
 * (`routing.operations.pagination`; n8n-core, routing-node.js). It links output items to their input
 * item. An error is an item as well if the node continues or is a tool, else a NodeApiError.
 */
export function buildItemExecutor(operation: OperationRules) {
	const { createdName } = operation;
	return async function (
		this: IExecutePaginationFunctions,
		{ options }: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const itemIndex = this.getItemIndex();
		const pairedItem = { item: itemIndex };
		const run = getRun(this);
		const state = run.enter(this.getInputData());
		try {
			state.result ??= executeItem(this, state, operation, options);
			const items = await state.result;
			// n8n modifies the items it receives.
			return items.map((output) => ({ ...output, pairedItem }));
		} catch (thrown) {
			const error = toUserError(thrown);
			const shownIndex = countItems(this) > 1 ? itemIndex : undefined;
			const text = formatErrorText(error, shownIndex);
			if (isTool(this.getNode())) return [{ json: { error: text }, pairedItem }];
			if (this.continueOnFail()) {
				const json = toErrorJson(
					error,
					text,
					createdName !== undefined && state.outcome !== 'notDone',
				);
				const item = { json, pairedItem };
				// n8n up to 2.35 recognizes a failed item by this property. If it were enumerable, n8n would
				// replace `json` with its message (n8n-core, workflow-execute.js).
				return this.getNode().onError === 'continueErrorOutput'
					? [Object.defineProperty(item, 'error', { value: { message: text } })]
					: [item];
			}
			throw await run.stop(state, error, (others) => {
				const complete = createdName ? addOtherItems(error, others) : error;
				const message = addItemNumber(formatMessage(complete), shownIndex);
				return toNodeError(this.getNode(), complete, message, itemIndex);
			});
		}
	};
}

async function executeItem(
	context: IExecutePaginationFunctions,
	state: ItemState,
	operation: OperationRules,
	declared: DeclarativeRestApiSettings.HttpRequestOptions,
): Promise<INodeExecutionData[]> {
	const { createdName, prepare, execute = makeRequest } = operation;
	let item: Item | undefined;
	try {
		item = await createItem(context, state, operation, declared);
		await prepare?.(item);
		// With Batching, n8n holds the others back.
		const interval = context.getNodeParameter('requestOptions.batching.batch.batchInterval', 0);
		const isAlone = context.continueOnFail() || Number(interval) > 0;
		await getRun(context).waitForOthers(isAlone ? 1 : countItems(context));
		return await (item.parameters.dryRun ? showRequests(item) : execute(item));
	} catch (thrown) {
		const error = toUserError(thrown);
		const { outcome } = error.details;
		state.outcome = combineOutcomes(state.outcome, outcome);
		const isSafe = outcome === 'notDone' || item?.parameters.retryUnknownOutcome === true;
		if (!createdName || isSafe) state.result = undefined;
		throw createdName && state.outcome !== 'notDone' ? addMayExist(error, createdName) : error;
	}
}

async function createItem(
	context: IExecutePaginationFunctions,
	state: ItemState,
	{ fields, createdName }: OperationRules,
	{ method = 'GET', url = '', headers, ...declared }: DeclarativeRestApiSettings.HttpRequestOptions,
): Promise<Item> {
	const { values, payload, overrides, finders } = readParameters(context, fields);
	const { requestQueue, sharedLists } = getRun(context);
	const { proxy, skipSslCertificateValidation } = declared as RequestSettings;
	// What is declared is five minutes if the user sets none.
	const timeout = Number(context.getNodeParameter('requestOptions.timeout', 0)) || undefined;
	const settings = { proxy, skipSslCertificateValidation, timeout };
	// The calls of a tool share a run on older n8n versions, and records change between them.
	const lists = isTool(context.getNode()) ? undefined : sharedLists;
	const client = new Client(context, requestQueue, settings, lists);
	for (const [name, findId] of Object.entries(finders)) {
		const text = values[name] as string;
		const id = state.ids.get(text) ?? (await findId(text, client));
		state.ids.set(text, id);
		values[name] = id;
		if (name in payload) payload[name] = id;
	}
	const path = url.replace(/\{(\w+)\}/g, (_braces, name: string) => {
		delete payload[name];
		return encodePathSegment(values[name]);
	});
	Object.assign(payload, overrides);
	const { waitIfBusyMinutes: minutes } = values;
	const isRead = method === 'GET';
	const request: Request = {
		method,
		url: path,
		headers,
		qs: isRead ? payload : undefined,
		body: isRead || Object.keys(payload).length === 0 ? undefined : payload,
		timeout: createdName ? CREATION_TIMEOUT_MS : undefined,
		// What is created is remembered by its request: see `createOnce`.
		earlierOutcome: createdName ? undefined : state.outcome,
		maxWaitMs: typeof minutes === 'number' ? minutes * 60_000 : undefined,
	};
	return { client, parameters: values, request, state: createdName ? state : undefined };
}

function addMayExist(error: UserError, creation: string): UserError {
	// To try again later, as its hint says, would contradict this one.
	const rest = error.details.code === 'unavailable' ? '' : error.hint;
	const hint = `${creation} may exist anyway. Look in the studio application before you run this item again. ${rest}`;
	return error.with({ hint: hint.trim() });
}

/** A run that stops has no output, so the user learns what the other items created nevertheless. */
function addOtherItems(error: UserError, others: Outcome[]): UserError {
	const count = (wanted: Outcome) => others.filter((outcome) => outcome === wanted).length;
	const [done, unknown] = [count('done'), count('unknown')];
	if (done + unknown === 0) return error;
	const facts = `Other items of this run: ${done} created, ${unknown} may exist`;
	const hint = `${error.hint} ${facts}. Look in the studio application. To get the result of each item, set On Error to Continue, in the Settings tab.`;
	return error.with({ hint: hint.trim() });
}

function toErrorJson(error: UserError, text: string, mayExist: boolean): IDataObject {
	const { code, status } = error.details;
	return {
		error: text,
		message: formatMessage(error),
		...(error.hint && { nextStep: error.hint }),
		...(status !== undefined && { httpCode: status }),
		code,
		mayExist,
	};
}
