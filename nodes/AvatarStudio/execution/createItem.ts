import type { DeclarativeRestApiSettings, IExecutePaginationFunctions } from 'n8n-workflow';

import { Client } from '../client/client';
import { encodePathSegment } from '../client/encodePathSegment';
import type { Request, RequestSettings } from '../client/send';

import { LONG_TIMEOUT_MS } from './downloadFile';
import { getRun, isTool, type Item, type ItemState } from './nodeRun';
import { readParameters, type Field, type Parameters } from './parameters';

type DeclaredRequest = DeclarativeRestApiSettings.HttpRequestOptions;

/**
 * Reads the parameters of an input item, finds the IDs that its texts stand for, and builds its request.
 *
 * @param declared the request that n8n's routing engine built from the operation's route
 * @throws UserError if a value is not valid, RequestError if an ID could not be looked up
 */
export async function createItem(
	context: IExecutePaginationFunctions,
	state: ItemState,
	{ fields, createdName }: { fields: Field[]; createdName?: string },
	declared: DeclaredRequest,
): Promise<Item> {
	const { values, payload, overrides, finders } = readParameters(context, fields);
	const client = createClient(context, declared);
	for (const [name, findId] of Object.entries(finders)) {
		const text = values[name] as string;
		// What a text stood for at the first attempt of Retry On Fail, it stands for at the next one.
		const id = state.ids.get(text) ?? (await findId(text, client));
		state.ids.set(text, id);
		values[name] = id;
		if (name in payload) payload[name] = id;
	}
	const request = createRequest(declared, { values, payload, overrides });
	if (createdName === undefined) {
		request.earlierOutcome = state.outcome;
		return { client, parameters: values, request };
	}
	// `createOnce` remembers creations by their requests, so they take no outcome of earlier attempts.
	request.timeout = LONG_TIMEOUT_MS;
	return { client, parameters: values, request, state };
}

function createClient(context: IExecutePaginationFunctions, declared: DeclaredRequest) {
	const { proxy, skipSslCertificateValidation } = declared as RequestSettings;
	// n8n's routing engine declares five minutes if the user sets no Timeout; only the user's own counts.
	const timeout = Number(context.getNodeParameter('requestOptions.timeout', 0)) || undefined;
	const settings = { proxy, skipSslCertificateValidation, timeout };
	const { requestQueue, sharedLists } = getRun(context);
	// On older n8n versions the calls of a tool share a run, and records change between them.
	const lists = isTool(context.getNode()) ? undefined : sharedLists;
	return new Client(context, requestQueue, settings, lists);
}

/** Puts the values into the path, and the rest of the payload into the query of a GET or the body. */
function createRequest(
	{ method = 'GET', url = '', headers }: DeclaredRequest,
	{ values, payload, overrides }: Omit<Parameters, 'finders'>,
): Request {
	const rest = { ...payload };
	const path = url.replace(/\{(\w+)\}/g, (_braces, name: string) => {
		delete rest[name];
		return encodePathSegment(values[name]);
	});
	Object.assign(rest, overrides);
	const isRead = method === 'GET';
	const hasBody = !isRead && Object.keys(rest).length > 0;
	const { waitIfBusyMinutes: minutes } = values;
	return {
		method,
		url: path,
		headers,
		qs: isRead ? rest : undefined,
		body: hasBody ? rest : undefined,
		maxWaitMs: typeof minutes === 'number' ? minutes * 60_000 : undefined,
	};
}
