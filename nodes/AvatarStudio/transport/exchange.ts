import type {
	ICredentialDataDecryptedObject,
	IExecutePaginationFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { withoutKey } from './address';
import { bytesOf, header, isObject, type Answer } from './answer';
import type { Body } from './body';
import { Failure, failureOfError, failureOfStatus, parsed, wordsOf } from './failure';
import type { Gate } from './gate';
import { cancelled, wait } from './wait';

/** The contexts n8n gives to an operation, a picker and a trigger: all can send requests. */
export type Context = IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions;

/** One request, as a resource declares it, filled with the values of one item. */
export interface Call {
	method: IHttpRequestMethods;
	/** A path from `/v1`, or the absolute address that a redirect or a download link names. */
	url: string;
	/** A download link's host is not the service's: it is sent no key. */
	isElsewhere?: boolean;
	qs?: IHttpRequestOptions['qs'];
	body?: IHttpRequestOptions['body'];
	headers?: IHttpRequestOptions['headers'];
	/** Milliseconds until the answer must have begun, and that it may stand still; a minute unless told. */
	timeout?: number;
	/** The person's own Request Options: a proxy, certificates not to be checked. */
	proxy?: IHttpRequestOptions['proxy'];
	skipSslCertificateValidation?: boolean;
	/**
	 * The credential's fields, where many requests share them; else n8n reads them for this one.
	 * Items never share them: a field may be an expression on the item.
	 */
	credential?: () => Promise<ICredentialDataDecryptedObject>;
}

export const CREDENTIAL = 'avatarStudioApi';

/** n8n looks at none of these where it is handed a credential's fields. */
const NAMELESS = { id: '', name: '', type: CREDENTIAL };

const TIMEOUT_MS = 60_000;
const TRIES = 4;
const TRIES_WHEN_TOO_FAST = 12;
const FIRST_WAIT_MS = 300;
const LONGEST_BACK_OFF_MS = 30_000;
const REDIRECTS = 5;
const ERROR_BODY_BYTES = 64 * 1024;

/**
 * One request to the service, through the gate, repeated only where that is safe.
 *
 * The rules that must not regress:
 * - 429, whatever the method: it was turned away, so it is sent again after the wait the service
 *   asks for, and the gate narrows.
 * - A connection that never came about, whatever the method: sent again.
 * - A timeout, a broken connection, 502, 503, 504: sent again for GET, PATCH and DELETE. A POST
 *   is not: it may have been carried out, and a video costs money.
 * - Anything else: never sent again.
 * - Retry-After on 429 or 503 holds every request of the run.
 *
 * @param read takes what is wanted from the first answer with a status below 300. It is part of
 *   the request: a body cut short is a broken connection
 * @returns what `read` returns
 * @throws Failure once the tries or the time for waiting are used up, or the execution is cancelled
 */
export async function exchange<T>(
	context: Context,
	gate: Gate,
	call: Call,
	read: (answer: Answer) => Promise<T>,
): Promise<T> {
	const signal = cancelSignal(context);
	let waited = 0;
	let afterUnknown = false;
	for (let tried = 1; ; tried++) {
		const { value, failure } = await gate.pass<Outcome<T>>(async (ticket) => {
			try {
				const value = await read(await followed(context, call));
				gate.letThrough();
				return { value };
			} catch (error) {
				const failure = failureOf(error, signal);
				if (failure.details.tooFast) gate.narrow(ticket);
				const { retryAfterMs = 0 } = failure.details;
				// A wait too long for the run fails each item by itself, at once.
				if (gate.heldMs() + retryAfterMs <= gate.patienceMs) gate.close(retryAfterMs);
				return { failure };
			}
		}, signal);
		if (!failure) return value;

		const { passing, tooFast, outcomeUnknown, retryAfterMs } = failure.details;
		if (outcomeUnknown && call.method === 'POST') throw failure.with({ neverAgain: true });
		if (!passing) throw failure.with({ afterUnknown });

		const pause = retryAfterMs ?? backOff(tried);
		const tries = tooFast ? TRIES_WHEN_TOO_FAST : TRIES;
		const needed = Math.max(waited, gate.heldMs()) + pause;
		if (tried >= tries || needed > gate.patienceMs) {
			throw givenUp(failure, tried, needed, gate.patienceMs);
		}
		afterUnknown ||= outcomeUnknown === true;
		waited += pause;
		await wait(pause, signal);
	}
}

/** Of one try. */
type Outcome<T> = { value: T; failure?: undefined } | { value?: undefined; failure: Failure };

function failureOf(error: unknown, signal?: AbortSignal): Failure {
	if (signal?.aborted) return cancelled();
	return error instanceof Failure ? error : failureOfError(error);
}

function backOff(tried: number): number {
	const ceiling = Math.min(FIRST_WAIT_MS * 2 ** (tried - 1), LONGEST_BACK_OFF_MS);
	return ceiling / 2 + Math.random() * (ceiling / 2);
}

/** @param needed what the waits would come to with the next one, in milliseconds */
function givenUp(failure: Failure, tried: number, needed: number, patience: number): Failure {
	const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
	const why =
		needed > patience
			? `Waiting ${seconds(needed)} would be needed; no request is held back for more than ${seconds(patience)}.`
			: `It was tried ${tried} times, which is the most.`;
	return failure.with({ next: `${why} ${failure.details.next}` });
}

/** A GET follows redirects on the service's own host; no other request follows any. */
async function followed(context: Context, call: Call): Promise<Answer> {
	let at = call;
	for (let redirects = 0; ; redirects++) {
		const { answer, url, key } = await attempt(context, at);
		if (answer.status < 300) return answer;

		const location = answer.headers.location;
		const failure = await failureOfAnswer(answer, key);
		if (answer.status >= 400 || typeof location !== 'string' || !URL.canParse(location, url)) {
			throw failure;
		}
		const target = new URL(location, url);
		const elsewhere = target.origin !== new URL(url).origin;
		if (elsewhere || call.method !== 'GET' || redirects >= REDIRECTS) {
			throw failure.with({
				words: undefined,
				happened: `The service sent the request elsewhere, to ${withoutKey(target.origin + target.pathname, key)}`,
				next: elsewhere
					? 'The API key was not sent there. If you trust that address, set it as Base URL in the credential.'
					: 'It was not followed. Check Base URL in the credential: it may lack a part of the path.',
				// 307 and 308 say that nothing was done here.
				outcomeUnknown: answer.status <= 303,
			});
		}
		at = { ...call, url: target.href, qs: undefined };
	}
}

/**
 * One request and the beginning of its answer. The status is judged here, not by n8n: a 401 is
 * sent once, and no error object is made that holds the key.
 *
 * @returns the answer, the absolute address it came from, and the key that was sent there
 */
async function attempt(
	context: Context,
	{ isElsewhere, credential, timeout = TIMEOUT_MS, ...call }: Call,
): Promise<{ answer: Answer; url: string; key?: unknown }> {
	const options: IHttpRequestOptions = {
		...call,
		timeout,
		headers: { accept: 'application/json', ...call.headers },
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		abortSignal: cancelSignal(context),
	};
	const { helpers } = context;
	const response = (await (isElsewhere
		? helpers.httpRequest(options)
		: helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL,
				options,
				credential && { credentialsDecrypted: { ...NAMELESS, data: await credential() } },
			))) as IN8nHttpFullResponse;
	const { url, headers = {} } = options;
	const answer = {
		status: response.statusCode,
		headers: response.headers,
		body: response.body as unknown as Body,
		idleMs: timeout,
	};
	return { answer, url, key: headers['x-api-key'] };
}

/** @param key is taken out of what the service says, for services that repeat what they refuse */
async function failureOfAnswer(answer: Answer, key: unknown): Promise<Failure> {
	const failure = failureOfStatus(answer.status, header(answer, 'retry-after'));
	const bytes = await bytesOf(answer, ERROR_BODY_BYTES).catch(() => '');
	const text = withoutKey(bytes.toString(), key);
	const json = parsed(text);
	return failure.with({ words: wordsOf(text), answer: isObject(json) ? json : undefined });
}

/** Pickers have no execution, and so nothing that cancels them. */
function cancelSignal(context: Context): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}
