import { isContainer, isObject, simplifyKey } from './json';

/** Keys that are empty in the response to a request that succeeded (see `simplifyKey`). */
const FAILURE_KEYS = ['error', 'errors', 'errormessage', 'errordescription', 'fault'];
const SUCCESS_KEYS = ['success', 'ok'];
/** What JSend calls a failure. A record, which has an ID, has a status of its own. */
const FAILURE_STATUSES = ['fail', 'error'];

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

function isBlank(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	return isContainer(value) ? !Object.values(value).some(Boolean) : !value;
}
