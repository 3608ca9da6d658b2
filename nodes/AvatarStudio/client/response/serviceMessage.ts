import { removeFullStop, shorten } from '../../errors/formatText';
import type { ErrorDetails } from '../../errors/userError';

import { isObject, tryParseJson } from './json';

/** Where APIs put their error messages, most specific first. */
const MESSAGE_KEYS = ['message', 'msg', 'detail', 'description', 'reason', 'error', 'title'];
const LIST_KEYS = ['errors', 'violations', 'issues', 'details'];
const FIELD_KEYS = ['field', 'propertyPath', 'property', 'path', 'param', 'loc'];
const MAX_MESSAGE_LENGTH = 500;

/**
 * @param text the body of a failure, without the API key; its shape is not documented
 * @returns the body, and its message in one line without control characters, if it has one
 */
export function describeFailure(
	text: string,
	value = tryParseJson(text),
): Pick<ErrorDetails, 'serviceMessage' | 'responseBody'> {
	const title = /<title[^<>]*>([^<]*)</i.exec(text)?.[1];
	const words = findMessage(value ?? title ?? text.replace(/<[^<>]*>/g, ' '));
	const line = words.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
	return {
		serviceMessage: shorten(line, MAX_MESSAGE_LENGTH) || undefined,
		responseBody: value ?? (text || undefined),
	};
}

function findMessage(value: unknown): string {
	if (Array.isArray(value)) return value.map(findMessage).filter(Boolean).join('; ');
	const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
	if (!isObject(value)) return isPlain ? String(value) : '';
	const find = (keys: string[], read: (inner: unknown) => string) =>
		keys.map((key) => read(value[key])).find(Boolean) ?? '';
	const message = find(MESSAGE_KEYS, findMessage);
	const field = find(FIELD_KEYS, (path) => [path].flat().map(findMessage).join('.'));
	if (field && message) return `${field}: ${message}`;
	const errors = find(LIST_KEYS, joinFieldErrors);
	return [errors ? removeFullStop(message) : message, errors].filter(Boolean).join(': ');
}

function joinFieldErrors(errors: unknown): string {
	if (!isObject(errors)) return findMessage(errors);
	const entries = Object.entries(errors);
	return entries.map(([field, error]) => `${field}: ${findMessage(error)}`).join('; ');
}
