import { type ErrorText, RequestError, UserError } from './userError';

const CHECK_NETWORK =
	'Check the network of the machine n8n runs on, and the proxy n8n is set to use if it has one.';
const PROXY_UNREACHABLE: ErrorText = [
	'The proxy cannot be reached',
	'Check Proxy under Request Options, in the Settings tab.',
];
const UNREACHABLE: ErrorText = ['The host of the service cannot be reached', CHECK_NETWORK];

/** The texts for a connection that was never established: whatever the code, nothing was sent. */
const CONNECT_TEXTS: Record<string, ErrorText> = {
	ECONNREFUSED: [
		'The service did not respond at its address',
		'Check Base URL in the credential, and that the service is running.',
	],
	ENOTFOUND: [
		'The host of the service does not exist',
		'Check Base URL in the credential for a typo.',
	],
	EAI_AGAIN: ['The host of the service could not be looked up', CHECK_NETWORK],
};
/** Of the other codes, which come from an established connection too, the system call decides. */
const CONNECT_CODES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
const TIMEOUT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ERR_CANCELED']);
const MAX_CAUSES = 5;
const TLS_ERROR_CODE = /CERT|TLS|SSL|EPROTO|SIGNATURE/;
/** Node.js rejected the certificate, before it sent anything; OpenSSL's codes may come at any time. */
const CERTIFICATE_ERROR_CODE = /^(?!ERR_SSL_).*(CERT|SIGNATURE)/;

/**
 * Creates the error for what n8n's HTTP layer threw, or for the failure of a body it provides. Only
 * error codes are read: n8n keeps the request, and with it the API key, in the error (`error.cause`
 * is an AxiosError).
 *
 * @param hasProxy whether the user set a proxy for the request
 */
export function createConnectionError(thrown: unknown, hasProxy = false): RequestError {
	const chain = getCauses(thrown);
	const code = getCode(chain);
	const isConnecting = chain.some(
		({ syscall, messages }) =>
			syscall === 'connect' || String(messages?.[0]).startsWith('connect '),
	);
	if (isConnecting || CONNECT_CODES.has(code)) {
		const text = hasProxy ? PROXY_UNREACHABLE : (CONNECT_TEXTS[code] ?? UNREACHABLE);
		return new RequestError(...text, {
			code: hasProxy ? 'proxy' : 'connection',
			isTransient: true,
		});
	}
	if (TLS_ERROR_CODE.test(code)) {
		return new RequestError(
			`The connection to the service is not secure (${code})`,
			'Check the host in Base URL. If its certificate is from a private authority, add that authority to n8n (NODE_EXTRA_CA_CERTS).',
			{
				code: 'insecureConnection',
				outcome: CERTIFICATE_ERROR_CODE.test(code) ? 'notDone' : 'unknown',
			},
		);
	}
	if (TIMEOUT_CODES.has(code) || chain.some(({ message = '' }) => /timed? ?out/i.test(message))) {
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

/**
 * Creates the error for a failure of n8n's binary storage: a disk, a database or a bucket. The
 * request has taken effect, and the file that the service created may be lost.
 */
export function createStorageError(thrown: unknown): UserError {
	const code = getCode(getCauses(thrown));
	return new UserError(
		`n8n could not store the file${code === '' ? '' : ` (${code})`}`,
		'Check the disk and the binary data folder of the machine n8n runs on.',
		{ code: 'storage', outcome: 'done' },
	);
}

/**
 * n8n 1.x drops the error that it wraps, but keeps its code in `httpCode` and its text, such as
 * "connect EACCES 192.0.2.1:443", in `messages` (n8n-workflow, node-api.error.js).
 */
interface Cause {
	message?: string;
	messages?: unknown[];
	code?: unknown;
	httpCode?: unknown;
	syscall?: unknown;
	cause?: unknown;
	errors?: unknown[];
}

function getCauses(error: unknown): Cause[] {
	const chain: Cause[] = [];
	let cause = error as Cause | undefined;
	while (cause && typeof cause === 'object' && chain.length < MAX_CAUSES) {
		chain.push(cause);
		// A host with several addresses fails with one error for each.
		cause = (cause.cause ?? cause.errors?.[0]) as Cause | undefined;
	}
	return chain;
}

function getCode(chain: Cause[]): string {
	const codes = [...chain.map(({ code }) => code), ...chain.map(({ httpCode }) => httpCode)];
	return codes.find((code) => typeof code === 'string') ?? '';
}
