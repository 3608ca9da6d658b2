import type { Operation } from './contract';
import type { CreationResponse, ResolvedOptions } from './options';
import { DEFAULT_PAGE_SIZE, getPage } from './pagination';
import { jsonResponse, problemResponse, type ServiceResponse } from './responses';
import type { Store } from './store';

/** What a handler needs of a request, which the contract has found to be valid. */
export interface OperationRequest {
	operation: Operation;
	/** The path parameter {id}; empty if the path has none. */
	id: string;
	query: Record<string, string>;
	body: Record<string, unknown>;
	options: ResolvedOptions;
	store: Store;
	/** Where the files host is. */
	filesUrl: string;
	/** Signs a link to a path of the files host. */
	createLink: (path: string) => string;
	/** Posts a body to a URL when that time has passed; errors are ignored. */
	postLater: (url: string, milliseconds: number, getBody: () => object) => void;
}

export type Handler = (request: OperationRequest) => ServiceResponse | Promise<ServiceResponse>;

/**
 * Responds with the page of a list that the query asks for, as the options say.
 *
 * @param property of the object with the list; undefined if the list is bare
 */
export function createListResponse<T extends object>(
	{ query, options }: OperationRequest,
	property: string | undefined,
	records: T[],
	toBody: (record: T) => object = (record) => record,
): ServiceResponse {
	const page = getPage(records, { page: query.Page, pageSize: query.PageSize }, options.pagination);
	if ('error' in page) return problemResponse(page.status, page.error);
	const list = page.items.map(toBody);
	return jsonResponse(property === undefined ? list : { [property]: list });
}

/**
 * Responds with the page of a list that a cursor names, and with the cursor of the next page. A cursor is
 * the ID of the record before its page, so a record that is added meanwhile moves none.
 */
export function createCursorResponse(
	{ query }: OperationRequest,
	property: string,
	records: { id: string }[],
): ServiceResponse {
	const { cursor, pageSize } = query;
	const before = records.findIndex(({ id }) => id === cursor);
	if (cursor !== undefined && before < 0) return problemResponse(400, 'The cursor has expired.');
	const end = before + 1 + Number(pageSize ?? DEFAULT_PAGE_SIZE);
	const page = records.slice(before + 1, end);
	const nextCursor = end < records.length ? page.at(-1)!.id : null;
	return jsonResponse({ [property]: page, nextCursor });
}

/** Responds to a creation as the options say, because the specification leaves it open. */
export function createCreationResponse(
	type: CreationResponse,
	record: object,
	createLink: () => object,
	file: ServiceResponse,
): ServiceResponse {
	if (type === 'file') return file;
	if (type === 'empty') return jsonResponse({});
	const first = { ...record, ...createLink() };
	return jsonResponse(type === 'link' ? first : [first, createLink()]);
}

/** Why a script or voice cannot be spoken; undefined if it can. */
export function findSpeechError(
	{ body, store }: OperationRequest,
	isVoiceRequired: boolean,
): ServiceResponse | undefined {
	const { script, voiceId } = body as { script?: string; voiceId?: string };
	if (script?.trim() === '') return problemResponse(400, 'script is empty.');
	if (voiceId === undefined && !isVoiceRequired) return undefined;
	return store.voices.some((voice) => voice.voiceId === voiceId)
		? undefined
		: invalidField('voiceId', `There is no voice ${voiceId ?? ''}.`);
}

export function invalidField(field: string, reason: string): ServiceResponse {
	return problemResponse(422, 'One or more fields are not valid.', {
		errors: { [field]: [reason] },
	});
}
