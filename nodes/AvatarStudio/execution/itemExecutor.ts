import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import { readCredentialOnce } from '../client/credential';
import { encodePathSegment } from '../client/encodePathSegment';
import type { RequestOptions } from '../client/sendRequest';
import { addItemNumber, formatErrorText, formatMessage, toNodeError } from '../errors/nodeError';
import { RequestError, toRequestError } from '../errors/requestError';
import { describeUnknownAddress } from '../errors/statusErrors';

import { requestItems, type Item } from './item';
import { readParameters, type Field } from './parameters';
import { getItemIdentity, getRunState, memoizePerItem, type RunState } from './runState';

/** How an operation executes one item. */
export interface ItemExecution {
	/**
	 * The operation's fields. Those that the route names in braces are sent in its path, the others
	 * in the query of a GET or in the body of any other method, unless they are local.
	 */
	fields: Field[];
	/** What the operation creates, if it creates something. */
	creates?: Creation;
	/** Executes an item and returns its output items, if that takes more than sending its request. */
	execute?: (item: Item) => Promise<INodeExecutionData[]>;
}

/** What an operation creates, as messages name it. */
interface Creation {
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
export function buildItemExecutor(execution: ItemExecution) {
	return async function (
		this: IExecutePaginationFunctions,
		{ options }: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const index = this.getItemIndex();
		const runState = getRunState(this.getExecuteData());
		let item: Item | undefined;
		try {
			const identity = getItemIdentity(this);
			const items = await memoizePerItem(runState, identity, async (earlierAttemptUncertain) => {
				const { execute = requestItems } = execution;
				item = await buildItem(this, runState, execution, options);
				item.earlierAttemptUncertain = earlierAttemptUncertain;
				return await execute(item).catch((error: unknown) => {
					const mayRepeat = item?.parameters.retryUnknownOutcome && error instanceof RequestError;
					throw mayRepeat ? error.with({ doNotRetry: false }) : error;
				});
			});
			for (const output of items) output.pairedItem = { item: index };
			return items;
		} catch (thrown) {
			const error = describeError(toRequestError(thrown), execution, options.url, item);
			const node = this.getNode();
			const itemNumber = isTool(node) || isSingleItem(this) ? undefined : index;
			const text = formatErrorText(error, itemNumber);
			if (isTool(node)) return [{ json: { error: text }, pairedItem: { item: index } }];
			if (this.continueOnFail()) return [toErrorItem(node, error, text, index)];
			throw toNodeError(node, error, addItemNumber(formatMessage(error), itemNumber), index);
		}
	};
}

/**
 * Whether the node runs as a tool. Only an item reaches the model on every version: AI Agent 2.2
 * passes on an empty text for a thrown error, and AI Agent 3 of n8n 1.x ends the execution.
 */
function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

function isSingleItem(context: IExecuteSingleFunctions): boolean {
	return context.getExecuteData().data.main?.[0]?.length === 1;
}

async function buildItem(
	context: IExecutePaginationFunctions,
	runState: RunState,
	{ fields, creates }: ItemExecution,
	declared: DeclarativeRestApiSettings.HttpRequestOptions,
): Promise<Item> {
	const { method = 'GET', url = '', headers } = declared;
	const { proxy, skipSslCertificateValidation } = declared as Partial<RequestOptions>;
	const { values, payload, customPayload, finders } = readParameters(context, fields);
	const item: Item = {
		context,
		caller: runState.caller,
		parameters: values,
		request: {
			method,
			url,
			headers,
			proxy,
			skipSslCertificateValidation,
			timeout: readTimeoutOption(context),
			getCredential: readCredentialOnce(context),
		},
		// The calls of a tool share a run on older n8n versions, and records change between them.
		sharedLists: isTool(context.getNode()) ? new Map<string, never>() : runState.sharedLists,
	};
	for (const [name, findId] of Object.entries(finders)) {
		values[name] = await findId(values[name] as string, item);
		payload[name] = values[name];
	}
	if (creates) item.request.timeout ??= CREATION_TIMEOUT_MS;
	item.request.url = url.replace(/\{(\w+)\}/g, (_braces, name: string) => {
		delete payload[name];
		return encodePathSegment(values[name]);
	});
	Object.assign(payload, customPayload);
	if (method === 'GET') item.request.qs = payload;
	else if (Object.keys(payload).length > 0) item.request.body = payload;
	return item;
}

/** @returns the item's own Timeout of Request Options in milliseconds, if it is set */
function readTimeoutOption(context: IExecuteSingleFunctions): number | undefined {
	const { timeout = 0 } = context.getNodeParameter('requestOptions', {}) as { timeout?: number };
	return timeout || undefined;
}

/** Statuses by which a service may report that a record does not exist. */
const UNKNOWN_RECORD_STATUSES = new Set([400, 404, 422]);

/** Replaces the general texts of an error if the operation and its values allow better ones. */
function describeError(
	error: RequestError,
	{ creates, fields }: ItemExecution,
	declaredUrl = '',
	{ parameters, earlierAttemptUncertain }: Partial<Item> = {},
): RequestError {
	const { doNotRetry, outcomeUnknown, serviceMessage = '', status = 0, hint } = error.details;
	// Repeating a creation to find out whether it was carried out costs money. The hint for statuses
	// from 500, to try again later, would contradict this one.
	if (creates && (outcomeUnknown || earlierAttemptUncertain)) {
		const { subject, lookFor } = creates;
		const consequence = doNotRetry ? ', so the request was not sent again' : '';
		return error.with({
			hint: `${subject} may exist anyway${consequence}. Look ${lookFor} before you run this item again. ${status >= 500 ? '' : hint}`.trim(),
		});
	}
	if (!UNKNOWN_RECORD_STATUSES.has(status)) return error;

	const given = fields.filter(
		({ name, unknownValueHint }) => unknownValueHint && parameters?.[name],
	);
	const named = given.find(({ name }) => serviceMessage.includes(parameters?.[name] as string));
	if (named) return error.with({ hint: named.unknownValueHint });
	const hasIdInRoute = declaredUrl.includes('{');
	if (status !== 404 || hasIdInRoute) return error;
	return describeUnknownAddress(
		error,
		given.map(({ unknownValueHint = '' }) => unknownValueHint),
	);
}

/**
 * n8n up to 2.35 recognizes a failed item by an `error` property beside `json` only; later versions
 * also by its keys, if they are the three they know. The property must not be enumerable: n8n would
 * replace `json` with its message, whereas the copy with the input's fields merged in drops it
 * (n8n-core, workflow-execute.js).
 */
function toErrorItem(
	{ onError }: INode,
	error: RequestError,
	text: string,
	index: number,
): INodeExecutionData {
	const { hint, status } = error.details;
	const json: IDataObject = { error: text, message: formatMessage(error) };
	if (hint) json.nextStep = hint;
	if (status !== undefined) json.httpCode = status;
	const item = { json, pairedItem: { item: index } };
	return onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: { message: text } })
		: item;
}
