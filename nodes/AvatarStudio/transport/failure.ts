import type { IDataObject } from 'n8n-workflow';

/** What is known of a request that did not succeed. */
export interface FailureDetails {
	/** What happened, one sentence. */
	happened: string;
	/** What to do next, one or two sentences. */
	next: string;
	/** The HTTP status, where the service answered at all. */
	status?: number;
	/** What the service itself said of it. */
	words?: string;
	/** The whole answer, where it is JSON. */
	answer?: IDataObject;
	/** Whether the request may have had its effect all the same: it is not known that it did not. */
	outcomeUnknown?: boolean;
	/** Whether it must not be sent again, not even by n8n's Retry On Fail. */
	neverAgain?: boolean;
	/** Whether an earlier try of the same request may have had its effect. */
	afterUnknown?: boolean;
	/** Whether the service turned the request away for coming too fast. */
	tooFast?: boolean;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
	/** Whether it is n8n's own storage that failed. */
	isStorage?: boolean;
	/** Whether a later try of the same request may succeed. */
	passing?: boolean;
}

/**
 * A request that did not succeed or could not be sent, in words for a person. It holds nothing
 * of the request itself, so never the key.
 */
export class Failure extends Error {
	constructor(readonly details: FailureDetails) {
		super(`${details.happened}. ${details.next}`);
		this.name = 'Failure';
	}

	/** The same, with other or further details. */
	with(details: Partial<FailureDetails>): Failure {
		return new Failure({ ...this.details, ...details });
	}
}

interface Wording {
	happened: string;
	next: string;
}

const LATER = 'Try again later; if it goes on, ask the support team of the service.';

/** One wording for each status that tells a person something of its own. */
const BY_STATUS: Record<number, Wording> = {
	400: {
		happened: 'The service did not accept the request',
		next: 'Correct the value it names and run the node again.',
	},
	401: {
		happened: 'The service refused the API key',
		next: 'Check API Key and Base URL in the credential: a key belongs to one address, and the fast branch has a key of its own.',
	},
	402: {
		happened: 'The service asks for payment',
		next: 'Check the plan and the credits of the account in the studio application.',
	},
	403: {
		happened: 'The account may not do this',
		next: 'Check that its plan includes API access and that the record belongs to it.',
	},
	404: {
		happened: 'The service found nothing there',
		next: 'Check the ID: the record may have been deleted. If every operation says this, check Base URL in the credential.',
	},
	405: {
		happened: 'The address does not offer this operation',
		next: 'Check Base URL in the credential: it is the part of the address before /v1.',
	},
	409: {
		happened: 'The request collides with the present state of the record',
		next: 'Read the record again, then repeat the change if it is still wanted.',
	},
	413: {
		happened: 'The request is larger than the service takes',
		next: 'Shorten the script, or split it over several items.',
	},
	415: {
		happened: 'The service does not take this kind of content',
		next: 'Check Base URL in the credential: something other than the service may be answering.',
	},
	422: {
		happened: 'The service understood the request but not a value in it',
		next: 'Correct the value it names and run the node again.',
	},
	429: {
		happened: 'The service is receiving too many requests',
		next: 'Run fewer items at a time, or later.',
	},
	503: {
		happened: 'The service is not available at present',
		next: LATER,
	},
};

const BY_CLASS: Record<number, Wording> = {
	3: {
		happened: 'The service sent the request elsewhere',
		next: 'Set the address it names as Base URL in the credential, if you trust it.',
	},
	4: {
		happened: 'The service did not accept the request',
		next: 'Check the values of this item.',
	},
	5: { happened: 'The service could not process the request', next: LATER },
};

const PASSING_STATUS = new Set([502, 503, 504]);

/**
 * The failure that an answer with a bad status is.
 *
 * @param status the HTTP status, 300 or above
 * @param retryAfter the header of that name, as it came
 */
export function failureOfStatus(status: number, retryAfter?: string): Failure {
	const { happened, next } = BY_STATUS[status] ??
		BY_CLASS[Math.floor(status / 100)] ?? {
			happened: 'The service answered in a way that HTTP does not know',
			next: LATER,
		};
	return new Failure({
		happened,
		next,
		status,
		tooFast: status === 429,
		passing: status === 429 || PASSING_STATUS.has(status),
		outcomeUnknown: status >= 500,
		retryAfterMs: status === 429 || status === 503 ? retryAfterMs(retryAfter) : undefined,
	});
}

/**
 * @param header Retry-After: whole seconds, or a date (RFC 9110, section 10.2.3)
 * @returns milliseconds from now, or undefined where the header says nothing usable
 */
function retryAfterMs(header: string | undefined): number | undefined {
	if (header === undefined || header.trim() === '') return undefined;
	const seconds = Number(header);
	const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** The request certainly never reached the service. */
const NEVER_REACHED: Record<string, Wording> = {
	ECONNREFUSED: {
		happened: 'Nothing answers at the address of the service',
		next: 'Check Base URL in the credential and that the service is running.',
	},
	ENOTFOUND: {
		happened: 'The host of the service is not known',
		next: 'Check Base URL in the credential for a typing slip.',
	},
	EAI_AGAIN: {
		happened: 'The host of the service could not be looked up',
		next: 'Check the network of the machine n8n runs on, then try again.',
	},
	EHOSTUNREACH: {
		happened: 'The host of the service cannot be reached',
		next: 'Check the network of the machine n8n runs on, then try again.',
	},
	ENETUNREACH: {
		happened: 'The network of the service cannot be reached',
		next: 'Check the network of the machine n8n runs on, then try again.',
	},
};

/** Codes of the machine n8n runs on, met while it stores a file. */
const STORAGE =
	/^(EACCES|EDQUOT|EEXIST|EIO|EISDIR|EMFILE|ENAMETOOLONG|ENOENT|ENOSPC|ENOTDIR|EPERM|EROFS)$/;
const TIMED_OUT = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ERR_CANCELED']);
const TLS = /CERT|TLS|SSL|EPROTO|SIGNATURE|ALTNAME/;

/**
 * The failure that an error thrown below this node is: by n8n's HTTP layer, or by the
 * credential. Of the error only its codes are read: n8n keeps the request in it, with the key
 * (measured: `error.cause` is an AxiosError).
 */
export function failureOfError(error: unknown): Failure {
	const chain = causes(error);
	const refusal = chain.find((cause) => cause instanceof Failure);
	if (refusal) return refusal;

	const code = chain.map((cause) => cause.code).find((code) => typeof code === 'string') ?? '';
	const neverReached = NEVER_REACHED[code];
	if (neverReached) return new Failure({ ...neverReached, passing: true });
	if (STORAGE.test(code)) {
		return new Failure({
			happened: `n8n could not store the file (${code})`,
			next: 'Check the disk and the binary data folder of the machine n8n runs on.',
			isStorage: true,
			outcomeUnknown: true,
		});
	}
	if (TLS.test(code)) {
		return new Failure({
			happened: `The connection could not be secured (${code})`,
			next: 'Check that Base URL names the right host. For a certificate of your own, add its authority to n8n (NODE_EXTRA_CA_CERTS).',
		});
	}
	if (TIMED_OUT.has(code) || chain.some(({ message = '' }) => /timed? ?out/i.test(message))) {
		return new Failure({
			happened: 'The service did not answer in time',
			next: 'Raise Timeout under Request Options, or try again later.',
			passing: true,
			outcomeUnknown: true,
		});
	}
	return new Failure({
		happened: 'The connection to the service broke off',
		next: 'Try again; if it goes on, check the network between n8n and the service.',
		passing: true,
		outcomeUnknown: true,
	});
}

interface Cause {
	message?: string;
	code?: unknown;
	cause?: unknown;
}

function causes(error: unknown): Cause[] {
	const chain: Cause[] = [];
	let at = error as Cause | undefined;
	for (; at && typeof at === 'object' && chain.length < 5; at = at.cause as Cause | undefined) {
		chain.push(at);
	}
	return chain;
}

/** Where services put their words, the most telling first. */
const WORD_KEYS = ['message', 'detail', 'description', 'reason', 'error', 'title'];
const WORDS_LENGTH = 500;

/**
 * What the service said of a failure, in one line: out of `message`, `error`, `detail`, `title`
 * and the like, out of `errors` as list or as object by field, out of a web page or plain text.
 *
 * @param body the answer's body as it came
 * @returns undefined where it said nothing
 */
export function wordsOf(body: string): string | undefined {
	const said = wordsIn(parsed(body) ?? withoutMarkup(body));
	const line = said.replace(/\s+/g, ' ').trim();
	if (line === '') return undefined;
	return line.length > WORDS_LENGTH ? `${line.slice(0, WORDS_LENGTH)}…` : line;
}

/** @returns the JSON value that `body` is, or undefined where it is none */
export function parsed(body: string): unknown {
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return undefined;
	}
}

function wordsIn(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (Array.isArray(value)) return value.map(wordsIn).filter(Boolean).join('; ');
	if (value === null || typeof value !== 'object') return '';
	const body = value as IDataObject;
	const said = WORD_KEYS.map((key) => wordsIn(body[key])).find(Boolean);
	const errors = errorsByField(body.errors);
	return [errors ? said?.replace(/[.\s]+$/, '') : said, errors].filter(Boolean).join(': ');
}

function errorsByField(errors: unknown): string {
	if (errors === null || typeof errors !== 'object' || Array.isArray(errors)) {
		return wordsIn(errors);
	}
	return Object.entries(errors)
		.map(([field, words]) => `${field}: ${wordsIn(words)}`)
		.join('; ');
}

function withoutMarkup(body: string): string {
	const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1];
	return title ?? body.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
}
