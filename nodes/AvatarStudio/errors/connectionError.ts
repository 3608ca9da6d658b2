import { removeFullStop } from './formatText';
import { RequestError, toUserError, UserError } from './userError';

/** The texts for a connection that was never established: whatever the code, nothing was sent. */
const CONNECT_TEXTS: Record<string, string> = {
	ECONNREFUSED: 'The service did not respond at its address',
	ENOTFOUND: 'The host of the service does not exist',
	EAI_AGAIN: 'The host of the service could not be looked up',
};
const CHECK_ADDRESS =
	'Check Base URL in the credential, that the service is running, and the network and the proxy of n8n.';
const CHECK_PROXY = 'Check Proxy under Request Options, in the Settings tab.';
const TIMEOUT_CODES = ['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ERR_CANCELED'];
/** The errors of n8n's protection against server-side request forgery (@n8n/backend-network, ssrf). */
const FORGERY_ERROR = 'SsrfBlocked';
const ALLOW_HOST = 'That is N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.';
const TLS_ERROR_CODE = /CERT|TLS|SSL|EPROTO|SIGNATURE/;
/** Node.js rejected the certificate, before it sent anything; OpenSSL's codes may come at any time. */
const CERTIFICATE_ERROR_CODE = /^(?!ERR_SSL_).*(CERT|SIGNATURE)/;

/** An error as it was thrown, or one that it wraps. */
interface Cause {
	code?: unknown;
	message?: string;
	name?: string;
	description?: string | null;
	/** Set in the errors of n8n-workflow. */
	level?: string;
	/** Set by axios, which wraps what fails while it sends. */
	isAxiosError?: boolean;
	/** Set by Node.js in an error of the system, such as of a lookup of n8n's own. */
	syscall?: string;
	/** The code and text of an error that n8n 1.x wraps and drops (findings/causes-are-dropped-on-1.x). */
	httpCode?: unknown;
	messages?: string[];
	cause?: Cause;
	/** One for each address of a host. */
	errors?: Cause[];
}

/**
 * Creates the error for what n8n's helpers threw instead of a response. Its root cause says who failed:
 * - An error of n8n-workflow: n8n refused the request before it sent it. n8n's words say why.
 * - An error of axios or of the system, or one whose cause n8n 1.x has dropped: the network.
 * - Anything else, such as a TypeError: a defect, before anything was sent.
 *
 * @param hasProxy whether the user set a proxy for the request
 */
export function createSendError(thrown: unknown, hasProxy: boolean): UserError {
	const causes = listCauses(thrown);
	const root = causes.at(-1);
	const isWrapper = root?.name === 'NodeApiError';
	if (root?.level !== undefined && !isWrapper) return createBlockedError(root);
	const isOfNetwork = causes.some(({ isAxiosError, syscall }) => isAxiosError ?? syscall);
	return isOfNetwork || isWrapper ? createConnectionError(thrown, hasProxy) : toUserError(root);
}

function createBlockedError({ name = '', message = '', description }: Cause): UserError {
	const advice = name.startsWith(FORGERY_ERROR) ? ALLOW_HOST : '';
	const hint = [description, advice].filter(Boolean).join(' ');
	return new UserError(removeFullStop(message), hint, { code: 'blockedByN8n' });
}

/**
 * Creates the error for a failure of the network, or of a body that n8n provides. Only codes are passed
 * on: what was thrown holds the request, and with it the API key.
 *
 * @param hasProxy whether the user set a proxy for the request
 */
export function createConnectionError(thrown: unknown, hasProxy = false): RequestError {
	const causes = listCauses(thrown);
	const code = getCode(causes);
	const texts = causes.flatMap(({ message = '', messages = [] }) => [message, ...messages]);
	// A code such as ETIMEDOUT may come from an established connection, too.
	if (code in CONNECT_TEXTS || texts.some((text) => text.startsWith('connect '))) {
		const text = CONNECT_TEXTS[code] ?? 'The host of the service cannot be reached';
		const error = new RequestError(text, CHECK_ADDRESS, { code: 'connection', isTransient: true });
		if (!hasProxy) return error;
		return error.with({ code: 'proxy', summary: 'The proxy cannot be reached', hint: CHECK_PROXY });
	}
	if (TLS_ERROR_CODE.test(code)) {
		const outcome = CERTIFICATE_ERROR_CODE.test(code) ? 'notDone' : 'unknown';
		return new RequestError(
			`The connection to the service is not secure (${code})`,
			'Check the host in Base URL. If its certificate is from a private authority, add that authority to n8n (NODE_EXTRA_CA_CERTS).',
			{ code: 'insecureConnection', outcome },
		);
	}
	if (TIMEOUT_CODES.includes(code) || texts.some((text) => /timed? ?out/i.test(text))) {
		return createTimeoutError();
	}
	return new RequestError(
		'The connection to the service was interrupted',
		'If this keeps happening, check the network between n8n and the service.',
		{ code: 'connection', outcome: 'unknown', isTransient: true },
	);
}

/** The error for a response that did not arrive in time, or not as a whole. */
export function createTimeoutError(): RequestError {
	return new RequestError(
		'The service did not respond in time',
		'To let an operation wait longer, set Timeout under Request Options, in the Settings tab.',
		{ code: 'timeout', outcome: 'unknown', isTransient: true },
	);
}

/** The error for a failure of n8n's binary storage: the file of a request that succeeded is lost. */
export function createStorageError(thrown: unknown): UserError {
	const code = getCode(listCauses(thrown));
	return new UserError(
		`n8n could not store the file${code && ` (${code})`}`,
		'Check the disk and the binary data folder of the machine n8n runs on.',
		{ code: 'storage', outcome: 'done' },
	);
}

/** @returns an error and those that it wraps, five at most, the root cause last */
function listCauses(thrown: unknown): Cause[] {
	const causes: Cause[] = [];
	let cause = thrown as Cause | undefined;
	while (cause && causes.length < 5) {
		causes.push(cause);
		cause = cause.cause ?? cause.errors?.[0];
	}
	return causes;
}

function getCode(causes: Cause[]): string {
	const codes = [...causes.map(({ code }) => code), ...causes.map(({ httpCode }) => httpCode)];
	return codes.find((code) => typeof code === 'string') ?? '';
}
