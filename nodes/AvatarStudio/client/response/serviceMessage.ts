import type { ErrorDetails } from '../../errors/userError';
import { removeFullStop } from '../../errors/values';

import { isObject, isTooComplex, tryParseJson } from './json';

/** Where APIs put their error messages, most specific first. */
const MESSAGE_KEYS = ['message', 'msg', 'detail', 'description', 'reason', 'error', 'title'];
const LIST_KEYS = ['errors', 'violations', 'issues', 'details'];
const FIELD_KEYS = ['field', 'propertyPath', 'property', 'path', 'param', 'loc'];
const MAX_MESSAGE_LENGTH = 500;
/** Messages are near the top; a hostile body may nest deeper than the stack allows. */
const MAX_DEPTH = 10;
/** n8n copies the body of an error recursively; JavaScript's stack holds some thousand levels. */
const MAX_DEPTH_IN_ERRORS = 20;

/**
 * Finds the service's explanation in an error response, whose shape is not documented
 * (docs/assumptions.md).
 *
 * @returns one line without control characters, or undefined if the body explains nothing
 */
export function extractErrorMessage(body: string): string | undefined {
	return describeFailure(tryParseJson(body), body).serviceMessage;
}

/**
 * Describes a response that is a failure: one of an error status, or of a success that says it failed.
 *
 * @param json its JSON value, if it is JSON
 * @param text its text, without the API key; what is nested too deeply for n8n is shown as text
 */
export function describeFailure(
	json: unknown,
	text = '',
): Pick<ErrorDetails, 'serviceMessage' | 'responseBody'> {
	const isUsable = json !== undefined && !isTooComplex(json, MAX_DEPTH_IN_ERRORS);
	const line = findMessage(json ?? stripMarkup(text))
		.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
		.trim();
	const isLong = line.length > MAX_MESSAGE_LENGTH;
	return {
		serviceMessage: (isLong ? `${line.slice(0, MAX_MESSAGE_LENGTH)}…` : line) || undefined,
		responseBody: isUsable ? json : text || undefined,
	};
}

function findMessage(value: unknown, depth = 0): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (depth > MAX_DEPTH) return '';
	const find = (inner: unknown) => findMessage(inner, depth + 1);
	if (Array.isArray(value)) return value.map(find).filter(Boolean).join('; ');
	if (!isObject(value)) return '';
	const message = MESSAGE_KEYS.map((key) => find(value[key])).find(Boolean);
	const errors = LIST_KEYS.map((key) => joinFieldErrors(value[key], find)).find(Boolean);
	const field = FIELD_KEYS.map((key) => formatField(value[key])).find(Boolean);
	if (field && message) return `${field}: ${message}`;
	return [errors ? message && removeFullStop(message) : message, errors].filter(Boolean).join(': ');
}

function joinFieldErrors(errors: unknown, find: (value: unknown) => string): string {
	if (!isObject(errors)) return find(errors);
	const list = Object.entries(errors).map(([field, message]) => `${field}: ${find(message)}`);
	return list.join('; ');
}

function formatField(value: unknown): string {
	const isName = (part: unknown) => typeof part === 'string' || typeof part === 'number';
	return [value].flat().filter(isName).join('.');
}

/**
 * A tag ends at the next `<` at the latest, and a script at the end of the body: a search that fails
 * must not read on to the end of the body, or its time would grow with the square of the length.
 */
function stripMarkup(body: string): string {
	const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(body)?.[1];
	const script = /<(script|style)\b[^<>]*>[\s\S]*?(?:<\/\1[^<>]*>?|$)/gi;
	return title ?? body.replace(script, ' ').replace(/<[^<>]*>/g, ' ');
}
