import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import { formatErrorMessage, toNodeError } from './errors/nodeError';
import { RequestError } from './errors/requestError';
import { requestItems, type Item } from './item';
import { readParameters, type Field } from './parameters';
import type { RequestOptions } from './request/sendRequest';
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
	/** Sends the requests of the item and returns its items, if one request is not all there is to it. */
	execute?: (item: Item) => Promise<INodeExecutionData[]>;
}

/** What an operation creates, in the words of its messages. */
export interface Creation {
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
 * share happens here and below: parameters are validated, the run's memory and rate limiter apply,
 * errors are described, and every item is linked to its input item.
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
		try {
			const items = await memoizePerItem(runState, getItemIdentity(this), async () => {
				const { execute = requestItems } = execution;
				return await execute(buildItem(this, runState, execution, options));
			});
			for (const item of items) item.pairedItem = { item: index };
			return items;
		} catch (thrown) {
			const error = addCreationHint(toRequestError(thrown), execution.creates);
			const message = formatErrorMessage(error, isSingleItem(this) ? undefined : index);
			const node = this.getNode();
			if (isTool(node)) return [{ json: { error: message }, pairedItem: { item: index } }];
			if (this.continueOnFail()) return [toErrorItem(node, error, message, index)];
			throw toNodeError(node, error, message, index);
		}
	};
}

/**
 * Whether the node runs as a tool. Only an item reaches the model on every version: AI Agent 2.2
 * passes an empty text on for a thrown error, and AI Agent 3 of n8n 1.x ends the execution.
 */
function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

function isSingleItem(context: IExecuteSingleFunctions): boolean {
	return context.getExecuteData().data.main?.[0]?.length === 1;
}

function buildItem(
	context: IExecutePaginationFunctions,
	runState: RunState,
	{ fields, creates }: ItemExecution,
	declared: DeclarativeRestApiSettings.HttpRequestOptions,
): Item {
	const { method = 'GET', url = '', headers } = declared;
	const { proxy, skipSslCertificateValidation } = declared as Partial<RequestOptions>;
	const { values, payload } = readParameters(context, fields);
	const path = url.replace(/\{(\w+)\}/g, (_braces, name: string) => {
		delete payload[name];
		return encodeURIComponent(values[name] as string);
	});
	runState.timeout ??= readTimeoutOption(context);
	const request: RequestOptions = {
		method,
		url: path,
		headers,
		proxy,
		skipSslCertificateValidation,
		timeout: runState.timeout || (creates && CREATION_TIMEOUT_MS),
	};
	if (method === 'GET') request.qs = payload;
	else if (Object.keys(payload).length > 0) request.body = payload;
	return { context, rateLimiter: runState.rateLimiter, parameters: values, request };
}

/** @returns the Timeout of Request Options in milliseconds, 0 if it is not set */
function readTimeoutOption(context: IExecuteSingleFunctions): number {
	const { timeout = 0 } = context.getNodeParameter('requestOptions', {}) as { timeout?: number };
	return timeout;
}

/** Any other error, such as a parameter n8n cannot read, keeps its own message. */
function toRequestError(error: unknown): RequestError {
	return error instanceof RequestError
		? error
		: new RequestError({ message: (error as Error).message, hint: '' });
}

/** A creation that may have been carried out says so: repeating it to find out costs money. */
function addCreationHint(error: RequestError, creates?: Creation): RequestError {
	if (!error.details.doNotRetry || !creates) return error;
	const { subject, lookFor } = creates;
	return error.with({
		hint: `${subject} may exist all the same, so the request was not sent again. Look ${lookFor} before you run this item again. ${error.details.hint}`,
	});
}

/**
 * n8n 2.36 and later recognize a failed item by these three keys, keep the details and merge the
 * input's fields into it. Earlier versions put it on the error output only if there is an `error`
 * beside `json`, which would cost the later ones the details if it were enumerable (n8n-core,
 * workflow-execute.js).
 */
function toErrorItem(
	{ onError }: INode,
	{ details }: RequestError,
	error: string,
	index: number,
): INodeExecutionData {
	const { message, hint, status, serviceMessage, responseBody } = details;
	const furtherDetails: IDataObject = {
		next: hint,
		httpCode: status ?? null,
		words: serviceMessage ?? null,
		answer: responseBody ?? null,
	};
	const item = { json: { error, message, details: furtherDetails }, pairedItem: { item: index } };
	return onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: { message } })
		: item;
}
