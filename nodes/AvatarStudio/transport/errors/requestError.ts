import type { IDataObject } from 'n8n-workflow';

/** What is known of a request that did not succeed. */
export interface RequestErrorDetails {
	/** What happened, one sentence. */
	message: string;
	/** What to do next, one or two sentences. */
	hint: string;
	/** The HTTP status, where the service answered at all. */
	status?: number;
	/** What the service itself said of it. */
	serviceMessage?: string;
	/** The whole answer, where it is JSON. */
	responseBody?: IDataObject;
	/** Whether the request may have had its effect all the same: it is not known that it did not. */
	outcomeUnknown?: boolean;
	/** Whether it must not be sent again, not even by n8n's Retry On Fail. */
	doNotRetry?: boolean;
	/** Whether an earlier try of the same request may have had its effect. */
	earlierAttemptUncertain?: boolean;
	/** Whether the service turned the request away for coming too fast. */
	rateLimited?: boolean;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
	/** Whether it is n8n's own storage that failed. */
	isStorageError?: boolean;
	/** Whether a later try of the same request may succeed. */
	retryable?: boolean;
}

/**
 * A request that did not succeed or could not be sent, in words for a person. It holds nothing
 * of the request itself, so never the key.
 */
export class RequestError extends Error {
	constructor(readonly details: RequestErrorDetails) {
		super(`${details.message}. ${details.hint}`);
		this.name = 'Failure';
	}

	/** The same, with other or further details. */
	with(details: Partial<RequestErrorDetails>): RequestError {
		return new RequestError({ ...this.details, ...details });
	}
}

interface ErrorText {
	message: string;
	hint: string;
}

const TRY_LATER = 'Try again later; if it goes on, ask the support team of the service.';

/** One wording for each status that tells a person something of its own. */
const STATUS_TEXTS: Record<number, ErrorText> = {
	400: {
		message: 'The service did not accept the request',
		hint: 'Correct the value it names and run the node again.',
	},
	401: {
		message: 'The service refused the API key',
		hint: 'Check API Key and Base URL in the credential: a key belongs to one address, and the fast branch has a key of its own.',
	},
	402: {
		message: 'The service asks for payment',
		hint: 'Check the plan and the credits of the account in the studio application.',
	},
	403: {
		message: 'The account may not do this',
		hint: 'Check that its plan includes API access and that the record belongs to it.',
	},
	404: {
		message: 'The service found nothing there',
		hint: 'Check the ID: the record may have been deleted. If every operation says this, check Base URL in the credential.',
	},
	405: {
		message: 'The address does not offer this operation',
		hint: 'Check Base URL in the credential: it is the part of the address before /v1.',
	},
	409: {
		message: 'The request collides with the present state of the record',
		hint: 'Read the record again, then repeat the change if it is still wanted.',
	},
	413: {
		message: 'The request is larger than the service takes',
		hint: 'Shorten the script, or split it over several items.',
	},
	415: {
		message: 'The service does not take this kind of content',
		hint: 'Check Base URL in the credential: something other than the service may be answering.',
	},
	422: {
		message: 'The service understood the request but not a value in it',
		hint: 'Correct the value it names and run the node again.',
	},
	429: {
		message: 'The service is receiving too many requests',
		hint: 'Run fewer items at a time, or later.',
	},
	503: {
		message: 'The service is not available at present',
		hint: TRY_LATER,
	},
};

const STATUS_CLASS_TEXTS: Record<number, ErrorText> = {
	3: {
		message: 'The service sent the request elsewhere',
		hint: 'Set the address it names as Base URL in the credential, if you trust it.',
	},
	4: {
		message: 'The service did not accept the request',
		hint: 'Check the values of this item.',
	},
	5: { message: 'The service could not process the request', hint: TRY_LATER },
};

const RETRYABLE_STATUSES = new Set([502, 503, 504]);

/**
 * The failure that an answer with a bad status is.
 *
 * @param status the HTTP status, 300 or above
 * @param retryAfter the header of that name, as it came
 */
export function errorFromStatus(status: number, retryAfter?: string): RequestError {
	const { message, hint } = STATUS_TEXTS[status] ??
		STATUS_CLASS_TEXTS[Math.floor(status / 100)] ?? {
			message: 'The service answered in a way that HTTP does not know',
			hint: TRY_LATER,
		};
	return new RequestError({
		message,
		hint,
		status,
		rateLimited: status === 429,
		retryable: status === 429 || RETRYABLE_STATUSES.has(status),
		outcomeUnknown: status >= 500,
		retryAfterMs: status === 429 || status === 503 ? parseRetryAfter(retryAfter) : undefined,
	});
}

/**
 * @param header Retry-After: whole seconds, or a date (RFC 9110, section 10.2.3)
 * @returns milliseconds from now, or undefined where the header says nothing usable
 */
function parseRetryAfter(header: string | undefined): number | undefined {
	if (header === undefined || header.trim() === '') return undefined;
	const seconds = Number(header);
	const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The request certainly never reached the service. */
const NOT_CONNECTED_TEXTS: Record<string, ErrorText> = {
	ECONNREFUSED: {
		message: 'Nothing answers at the address of the service',
		hint: 'Check Base URL in the credential and that the service is running.',
	},
	ENOTFOUND: {
		message: 'The host of the service is not known',
		hint: 'Check Base URL in the credential for a typing slip.',
	},
	EAI_AGAIN: {
		message: 'The host of the service could not be looked up',
		hint: 'Check the network of the machine n8n runs on, then try again.',
	},
	EHOSTUNREACH: {
		message: 'The host of the service cannot be reached',
		hint: 'Check the network of the machine n8n runs on, then try again.',
	},
	ENETUNREACH: {
		message: 'The network of the service cannot be reached',
		hint: 'Check the network of the machine n8n runs on, then try again.',
	},
};

/** Codes of the machine n8n runs on, met while it stores a file. */
const STORAGE_ERROR_CODE =
	/^(EACCES|EDQUOT|EEXIST|EIO|EISDIR|EMFILE|ENAMETOOLONG|ENOENT|ENOSPC|ENOTDIR|EPERM|EROFS)$/;
const TIMEOUT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ERR_CANCELED']);
const TLS_ERROR_CODE = /CERT|TLS|SSL|EPROTO|SIGNATURE|ALTNAME/;

/**
 * The failure that an error thrown below this node is: by n8n's HTTP layer, or by the
 * credential. Of the error only its codes are read: n8n keeps the request in it, with the key
 * (measured: `error.cause` is an AxiosError).
 */
export function errorFromException(error: unknown): RequestError {
	const chain = getCauses(error);
	const refusal = chain.find((cause) => cause instanceof RequestError);
	if (refusal) return refusal;

	const code = chain.map((cause) => cause.code).find((code) => typeof code === 'string') ?? '';
	const neverReached = NOT_CONNECTED_TEXTS[code];
	if (neverReached) return new RequestError({ ...neverReached, retryable: true });
	if (STORAGE_ERROR_CODE.test(code)) {
		return new RequestError({
			message: `n8n could not store the file (${code})`,
			hint: 'Check the disk and the binary data folder of the machine n8n runs on.',
			isStorageError: true,
			outcomeUnknown: true,
		});
	}
	if (TLS_ERROR_CODE.test(code)) {
		return new RequestError({
			message: `The connection could not be secured (${code})`,
			hint: 'Check that Base URL names the right host. For a certificate of your own, add its authority to n8n (NODE_EXTRA_CA_CERTS).',
		});
	}
	if (TIMEOUT_CODES.has(code) || chain.some(({ message = '' }) => /timed? ?out/i.test(message))) {
		return new RequestError({
			message: 'The service did not answer in time',
			hint: 'Raise Timeout under Request Options, or try again later.',
			retryable: true,
			outcomeUnknown: true,
		});
	}
	return new RequestError({
		message: 'The connection to the service broke off',
		hint: 'Try again; if it goes on, check the network between n8n and the service.',
		retryable: true,
		outcomeUnknown: true,
	});
}

interface Cause {
	message?: string;
	code?: unknown;
	cause?: unknown;
}

function getCauses(error: unknown): Cause[] {
	const chain: Cause[] = [];
	let at = error as Cause | undefined;
	for (; at && typeof at === 'object' && chain.length < 5; at = at.cause as Cause | undefined) {
		chain.push(at);
	}
	return chain;
}

/** Where services put their words, the most telling first. */
const MESSAGE_KEYS = ['message', 'detail', 'description', 'reason', 'error', 'title'];
const MAX_MESSAGE_LENGTH = 500;

/**
 * What the service said of a failure, in one line: out of `message`, `error`, `detail`, `title`
 * and the like, out of `errors` as list or as object by field, out of a web page or plain text.
 *
 * @param body the answer's body as it came
 * @returns undefined where it said nothing
 */
export function extractErrorMessage(body: string): string | undefined {
	const said = findMessage(tryParseJson(body) ?? stripMarkup(body));
	const line = said.replace(/\s+/g, ' ').trim();
	if (line === '') return undefined;
	return line.length > MAX_MESSAGE_LENGTH ? `${line.slice(0, MAX_MESSAGE_LENGTH)}…` : line;
}

/** @returns the JSON value that `body` is, or undefined where it is none */
export function tryParseJson(body: string): unknown {
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return undefined;
	}
}

function findMessage(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (Array.isArray(value)) return value.map(findMessage).filter(Boolean).join('; ');
	if (value === null || typeof value !== 'object') return '';
	const body = value as IDataObject;
	const said = MESSAGE_KEYS.map((key) => findMessage(body[key])).find(Boolean);
	const errors = joinFieldErrors(body.errors);
	return [errors ? said?.replace(/[.\s]+$/, '') : said, errors].filter(Boolean).join(': ');
}

function joinFieldErrors(errors: unknown): string {
	if (errors === null || typeof errors !== 'object' || Array.isArray(errors)) {
		return findMessage(errors);
	}
	return Object.entries(errors)
		.map(([field, words]) => `${field}: ${findMessage(words)}`)
		.join('; ');
}

function stripMarkup(body: string): string {
	const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1];
	return title ?? body.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
}
