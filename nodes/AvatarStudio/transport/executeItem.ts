import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { formatErrorMessage, toNodeError } from './errors/nodeError';
import { RequestError } from './errors/requestError';
import { request, type Item } from './item';
import { readParameters, type Formats } from './parameters';
import type { RequestOptions } from './request/requestWithRetry';
import { toFileItem } from './response/file';
import { toItems } from './response/response';
import { memoizePerItem, getRunState, type RunState } from './runState';

/** What one operation is, beyond its route. */
export interface Operation {
	/**
	 * The fields that are sent: those the route names in braces go in the path, the others in
	 * the query of a GET, else in the body.
	 */
	fields?: INodeProperties[];
	/** What fields must look like, by name. */
	shapes?: Formats;
	/** What the service makes, as a person calls it, where it makes something. */
	creates?: Creation;
	/** Makes the body of the fields' values, where it is not simply those. */
	body?: (values: IDataObject) => IDataObject;
	/** Fetches what the request needs before it can be sent. */
	prepare?: (item: Item) => Promise<Item>;
	/** Milliseconds until the answer must have begun, unless the person sets Timeout. */
	timeout?: number;
	/** Sends what requests the operation needs, and makes items of the answers. */
	receive?: (item: Item) => Promise<INodeExecutionData[]>;
}

export interface Creation {
	/** "The video" */
	what: string;
	/** "in the studio application" */
	lookFor: string;
}

/**
 * The one way of an operation's requests: n8n calls it for each input item, in place of sending
 * a request by itself (`routing.operations.pagination`; n8n-core, routing-node.js). What all
 * operations share happens here and below: fields are checked, the run's memory and gate are
 * passed, failures put in words, and every item is linked to the input item it came from.
 *
 * @returns the function for n8n; it throws a NodeApiError that names the item, or returns it as
 *   an item where the node is set to continue
 */
export function send(operation: Operation) {
	return async function (
		this: IExecutePaginationFunctions,
		{ options }: DeclarativeRestApiSettings.ResultOptions,
	): Promise<INodeExecutionData[]> {
		const index = this.getItemIndex();
		const run = getRunState(this.getExecuteData());
		try {
			const items = await memoizePerItem(run, this.getInputData(), async () => {
				const { prepare, receive = anyItems } = operation;
				const item = itemOf(this, run, operation, options);
				return await receive(prepare ? await prepare(item) : item);
			});
			for (const item of items) item.pairedItem = { item: index };
			return items;
		} catch (error) {
			const failure = addCreationHint(toRequestError(error), operation.creates);
			const text = formatErrorMessage(failure, isSingleItem(this) ? undefined : index);
			if (this.continueOnFail()) return [toErrorItem(failure, text, index)];
			throw toNodeError(this.getNode(), failure, text, index);
		}
	};
}

function isSingleItem(context: IExecuteSingleFunctions): boolean {
	return context.getExecuteData().data.main?.[0]?.length === 1;
}

function itemOf(
	context: IExecutePaginationFunctions,
	run: RunState,
	{ fields = [], shapes, body, timeout }: Operation,
	declared: DeclarativeRestApiSettings.HttpRequestOptions,
): Item {
	const { method = 'GET', url = '', headers } = declared;
	const { proxy, skipSslCertificateValidation } = declared as Partial<RequestOptions>;
	const values = readParameters(context, fields, shapes);
	// What steers this node is not sent.
	const rest = { ...values };
	delete rest.binaryPropertyName;
	const path = url.replace(/\{(\w+)\}/g, (_braces, name: string) => {
		delete rest[name];
		return encodeURIComponent(values[name] as string);
	});
	run.timeout ??= readTimeoutOption(context);
	const call: RequestOptions = {
		method,
		url: path,
		headers,
		proxy,
		skipSslCertificateValidation,
		timeout: run.timeout || timeout,
	};
	if (method === 'GET') call.qs = rest;
	else if (Object.keys(rest).length > 0) call.body = body ? body(rest) : rest;
	return { context, rateLimiter: run.rateLimiter, values, call };
}

/** @returns milliseconds, 0 where Timeout is not set under Request Options */
function readTimeoutOption(context: IExecuteSingleFunctions): number {
	const { timeout = 0 } = context.getNodeParameter('requestOptions', {}) as { timeout?: number };
	return timeout;
}

/** Makes items of an answer of any shape. */
async function anyItems(item: Item): Promise<INodeExecutionData[]> {
	return await request(item, async (answer) =>
		toItems(answer, async (file, bytes) => {
			const { binaryPropertyName = 'data' } = item.values;
			return await toFileItem(item.context, file, bytes, binaryPropertyName as string, {});
		}),
	);
}

/** Whatever else goes wrong on the way, such as a parameter n8n cannot read, is put in its own words. */
function toRequestError(error: unknown): RequestError {
	return error instanceof RequestError
		? error
		: new RequestError({ message: (error as Error).message, hint: '' });
}

/** A creation that may have been carried out says so: it costs money to find out by repeating it. */
function addCreationHint(failure: RequestError, creates?: Creation): RequestError {
	if (!failure.details.doNotRetry || !creates) return failure;
	const { what, lookFor } = creates;
	return failure.with({
		hint: `${what} may exist all the same, so the request was not sent again. Look ${lookFor} before you run this item again. ${failure.details.hint}`,
	});
}

/**
 * The keys are n8n's: with these three and no `error` beside `json`, the details survive and
 * the error output gets the input's fields merged in (n8n-core, workflow-execute.js).
 */
function toErrorItem({ details }: RequestError, text: string, index: number): INodeExecutionData {
	const {
		message: happened,
		hint: next,
		status,
		serviceMessage: words,
		responseBody: answer,
	} = details;
	return {
		json: {
			error: text,
			message: happened,
			details: { next, httpCode: status ?? null, words: words ?? null, answer: answer ?? null },
		},
		pairedItem: { item: index },
	};
}
