import type { DeclarativeRestApiSettings, IExecutePaginationFunctions } from 'n8n-workflow';

import { Client } from '../client/client';
import { encodePathSegment } from '../client/encodePathSegment';
import type { Request, RequestSettings } from '../client/send';

import type { Entries } from './collection';
import { LONG_TIMEOUT_MS } from './downloadFile';
import type { Field } from './field';
import { getRun, isTool, type FileKind, type Item, type ItemState } from './nodeRun';
import { readParameters, type Parameters } from './parameters';

/** What an item is created from: see `OperationRules`. */
interface CreatedItem {
	fields: Field[];
	entries?: Entries;
	createdName?: string;
	fileKind?: FileKind;
}

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
	{ fields, entries, createdName, fileKind }: CreatedItem,
	declared: DeclaredRequest,
): Promise<Item> {
	const parameters = readParameters(context, fields, entries);
	const client = createClient(context, declared);
	await findIds(parameters, client, state.ids);
	const item: Item = {
		client,
		parameters: parameters.values,
		request: createRequest(declared, parameters),
		fileKind,
		nameFile: (wanted, file) => getRun(context).fileNames.reserve(wanted, state, file),
	};
	const isCreation = createdName !== undefined;
	if (isCreation) {
		item.creationState = state;
		item.request.defaultTimeout = LONG_TIMEOUT_MS;
	} else {
		// Delete takes a 404 for success if an earlier try may have deleted the asset (asset/delete.ts). A
		// creation does not need this: `createOnce` remembers what became of its requests.
		item.request.earlierOutcome = state.outcome;
	}
	return item;
}

/** Replaces the texts that stand for IDs. What one stood for at the first try, it stands for again. */
async function findIds(
	{ values, payload, finders }: Parameters,
	client: Client,
	known: Map<string, string>,
): Promise<void> {
	for (const [name, findId] of Object.entries(finders)) {
		const text = values[name] as string;
		const key = `${name} ${text}`;
		const id = known.get(key) ?? (await findId(text, client));
		known.set(key, id);
		values[name] = id;
		if (name in payload) payload[name] = id;
	}
}

function createClient(context: IExecutePaginationFunctions, declared: DeclaredRequest) {
	const { proxy, skipSslCertificateValidation } = declared as RequestSettings;
	// n8n's routing engine declares five minutes if the user sets no Timeout
	// (findings/declared-timeout-is-replaced); only the user's own counts.
	const timeout = Number(context.getNodeParameter('requestOptions.timeout', 0)) || undefined;
	const settings = { proxy, skipSslCertificateValidation, timeout };
	const { requestGroup, sharedLists } = getRun(context);
	// On older n8n versions the calls of a tool share a run, and records change between them.
	const lists = isTool(context.getNode()) ? undefined : sharedLists;
	return new Client(context, requestGroup, settings, lists);
}

/** Puts the values into the path, and the rest of the payload into the query of a GET or the body. */
function createRequest(
	{ method = 'GET', url = '', headers }: DeclaredRequest,
	{ values, payload, overrides }: Parameters,
): Request {
	const rest = { ...payload };
	const path = url.replace(/\{(\w+)\}/g, (_braces, name: string) => {
		delete rest[name];
		return encodePathSegment(values[name]);
	});
	Object.assign(rest, overrides);
	const isRead = method === 'GET';
	const hasBody = !isRead && Object.keys(rest).length > 0;
	const minutes = values.waitIfBusyMinutes as number | undefined;
	return {
		method,
		url: path,
		headers,
		qs: isRead ? rest : undefined,
		body: hasBody ? rest : undefined,
		maxWaitMs: minutes === undefined ? undefined : minutes * 60_000,
	};
}
