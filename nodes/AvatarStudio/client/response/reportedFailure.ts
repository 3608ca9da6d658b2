import { isContainer, isObject, simplifyKey } from './json';

/** Keys that are empty in the response to a request that succeeded (see `simplifyKey`). */
const FAILURE_KEYS = ['error', 'errors', 'errormessage', 'errordescription', 'fault'];
const SUCCESS_KEYS = ['success', 'ok'];
/** What JSend calls a failure. A record, which has an ID, has a status of its own. */
const FAILURE_STATUSES = ['fail', 'error'];
/** The keys of a message, and of what stands beside one. */
const MESSAGE_KEYS = ['message', 'msg', 'detail', 'details', 'description', 'title', 'reason'];
const CODE_KEYS = [
	'code',
	'status',
	'statuscode',
	'type',
	'instance',
	'path',
	'timestamp',
	'traceid',
];

/** @returns whether JSON says that the request failed, although the status of its response does not */
export function reportsFailure(value: unknown): boolean {
	if (!isObject(value)) return false;
	const entries = Object.entries(value).map(([key, inner]) => [simplifyKey(key), inner] as const);
	const fields = new Map<string, unknown>(entries);
	const isNoSuccess = SUCCESS_KEYS.some((key) => fields.get(key) === false);
	const hasError = FAILURE_KEYS.some((key) => !isBlank(fields.get(key)));
	const status = String(fields.get('status')).toLowerCase();
	const hasFailed = FAILURE_STATUSES.includes(status) && !fields.has('id');
	return isNoSuccess || hasError || hasFailed;
}

/**
 * @returns whether JSON is nothing but a message, such as that a quota is used up. It says that the request
 *   failed if it comes in place of a file
 */
export function isMessage(value: unknown): boolean {
	const keys = isObject(value) ? Object.keys(value).map(simplifyKey) : [];
	const hasWords = keys.some((key) => MESSAGE_KEYS.includes(key));
	return hasWords && keys.every((key) => [...MESSAGE_KEYS, ...CODE_KEYS].includes(key));
}

function isBlank(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	return isContainer(value) ? !Object.values(value).some(Boolean) : !value;
}
