import { RequestError, type ErrorText } from './requestError';

const CHECK_NETWORK = 'Check the network of the machine n8n runs on, then try again.';
const BLOCKED: ErrorText = [
	'The connection to the service was blocked',
	'Check the firewall of the machine n8n runs on.',
];
const UNREACHABLE: ErrorText = ['The host of the service cannot be reached', CHECK_NETWORK];

/** The connection was never established, so the request cannot have reached the service. */
const NOT_CONNECTED_TEXTS: Record<string, ErrorText> = {
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

/**
 * The same codes come from an established connection as well: the system call decides. Whatever the
 * code, a call that fails to connect has sent nothing.
 */
const CONNECT_TEXTS: Record<string, ErrorText> = {
	ENETUNREACH: ['The network of the service cannot be reached', CHECK_NETWORK],
	EACCES: BLOCKED,
	EPERM: BLOCKED,
};
const TIMEOUT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ERR_CANCELED']);
const MAX_CAUSES = 5;
const TLS_ERROR_CODE = /CERT|TLS|SSL|EPROTO|SIGNATURE/;
/** Node.js rejected the certificate, before it sent anything; OpenSSL's codes may come at any time. */
const CERTIFICATE_ERROR_CODE = /^(?!ERR_SSL_).*(CERT|SIGNATURE)/;

/**
 * Describes an error thrown by n8n's HTTP layer or by the credential. Only error codes are read:
 * n8n keeps the request, and with it the API key, in the error (`error.cause` is an AxiosError).
 *
 * @returns the RequestError in the chain of causes, if there is one
 */
export function describeException(error: unknown): RequestError {
	const chain = getCauses(error);
	const requestError = chain.find((cause) => cause instanceof RequestError);
	if (requestError) return requestError;

	const code = getCode(chain);
	const isConnecting = chain.some(
		({ syscall, messages }) =>
			syscall === 'connect' || String(messages?.[0]).startsWith('connect '),
	);
	const notConnected =
		NOT_CONNECTED_TEXTS[code] ?? (isConnecting ? (CONNECT_TEXTS[code] ?? UNREACHABLE) : undefined);
	if (notConnected) return new RequestError(...notConnected, { retryable: true });
	if (TLS_ERROR_CODE.test(code)) {
		return new RequestError(
			`The connection to the service is not secure (${code})`,
			'Check the host in Base URL. If its certificate is from a private authority, add that authority to n8n (NODE_EXTRA_CA_CERTS).',
			{ outcomeUnknown: !CERTIFICATE_ERROR_CODE.test(code) },
		);
	}
	if (TIMEOUT_CODES.has(code) || chain.some(({ message = '' }) => /timed? ?out/i.test(message))) {
		return new RequestError(
			'The service did not respond in time',
			'To wait longer, set Timeout under Request Options, in the Settings tab.',
			{ retryable: true, outcomeUnknown: true },
		);
	}
	return new RequestError(
		'The connection to the service was interrupted',
		'If this keeps happening, check the network between n8n and the service.',
		{ retryable: true, outcomeUnknown: true },
	);
}

/**
 * Describes an error of n8n's binary storage: a disk, a database or a bucket. The request has taken
 * effect, and the file that the service created may be lost.
 */
export function describeStorageError(error: unknown): RequestError {
	const code = getCode(getCauses(error));
	return new RequestError(
		`n8n could not store the file${code === '' ? '' : ` (${code})`}`,
		'Check the disk and the binary data folder of the machine n8n runs on.',
		{ isStorageError: true, outcomeUnknown: true },
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
