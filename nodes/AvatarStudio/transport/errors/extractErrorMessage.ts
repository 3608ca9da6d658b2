import type { IDataObject } from 'n8n-workflow';

import { tryParseJson } from '../json';

/** Where APIs put their error messages, most specific first. */
const MESSAGE_KEYS = ['message', 'detail', 'description', 'reason', 'error', 'title'];
const MAX_MESSAGE_LENGTH = 500;

/**
 * Finds the service's explanation in an error response. The shape of errors is not documented
 * (docs/assumptions.md), so it looks in `message`, `error`, `detail`, `title` and the like, in
 * `errors` as a list or as an object by field, in a web page's title and in plain text.
 *
 * @param body the response body as received
 * @returns one line, or undefined if the body explains nothing
 */
export function extractErrorMessage(body: string): string | undefined {
	const message = findMessage(tryParseJson(body) ?? stripMarkup(body));
	const line = message.replace(/\s+/g, ' ').trim();
	if (line === '') return undefined;
	return line.length > MAX_MESSAGE_LENGTH ? `${line.slice(0, MAX_MESSAGE_LENGTH)}…` : line;
}

function findMessage(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number' || typeof value === 'boolean') return String(value);
	if (Array.isArray(value)) return value.map(findMessage).filter(Boolean).join('; ');
	if (value === null || typeof value !== 'object') return '';
	const body = value as IDataObject;
	const message = MESSAGE_KEYS.map((key) => findMessage(body[key])).find(Boolean);
	const errors = joinFieldErrors(body.errors);
	return [errors ? message?.replace(/[.\s]+$/, '') : message, errors].filter(Boolean).join(': ');
}

function joinFieldErrors(errors: unknown): string {
	if (errors === null || typeof errors !== 'object' || Array.isArray(errors)) {
		return findMessage(errors);
	}
	return Object.entries(errors)
		.map(([field, message]) => `${field}: ${findMessage(message)}`)
		.join('; ');
}

function stripMarkup(body: string): string {
	const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1];
	return title ?? body.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ');
}
