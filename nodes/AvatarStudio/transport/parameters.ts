import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { RequestError, tryParseJson } from './errors/requestError';
import type { RequestContext } from './request/requestWithRetry';
import { isObject } from './response/response';

/** What a text must look like before a request leaves, beyond its type. */
export interface Format {
	pattern: RegExp;
	/** Completes "Asset ID is not …". */
	expected: string;
	/** What to do about it. */
	hint: string;
	/** How it is sent, where not as it is. */
	normalize?: (text: string) => string;
}

export const UUID: Format = {
	pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
	expected: 'an ID of this service',
	hint: 'Enter an ID like 123e4567-e89b-12d3-a456-426614174000.',
};

export const HTTP_URL: Format = {
	pattern: /^https?:\/\/[^\s/?#]+([/?#]\S*)?$/i,
	expected: 'a web address',
	hint: 'Enter one that starts with https:// or http://.',
	// People paste what the browser shows; an address on the wire has letters without accents only.
	normalize: (text) => (/^[!-~]+$/.test(text) ? text : new URL(text).href),
};

export type Formats = Record<string, Format>;

/**
 * The values of an item's fields by the names the service has for them, checked before any
 * request leaves. What the person did not set is not there. The entries of a collection count
 * as fields of their own; a JSON field is merged in last, so that a field the specification
 * does not name can be sent today.
 *
 * @param fields the declarations of the fields that are sent
 * @param shapes what some of them must look like, by field name
 * @throws Failure naming the field and what it must be
 */
export function readParameters(
	context: RequestContext,
	fields: INodeProperties[],
	shapes: Formats = {},
): IDataObject {
	const values: IDataObject = {};
	let merged: IDataObject = {};
	const take = (field: INodeProperties, given: unknown) => {
		if (!isVisible(field, values)) return;
		const value = validate(field, given, shapes[field.name]);
		if (value === undefined) return;
		if (field.type === 'json') merged = value as IDataObject;
		else values[field.name] = value;
	};
	for (const field of fields) {
		const extractValue = field.type === 'resourceLocator';
		const given: unknown = context.getNodeParameter(field.name, null, { extractValue });
		if (field.type !== 'collection') take(field, given);
		else if (isObject(given)) {
			for (const entry of field.options as INodeProperties[]) take(entry, given[entry.name]);
		}
	}
	return { ...values, ...merged };
}

/** Whether the values read so far leave the field in sight; one out of sight is as good as not set. */
function isVisible({ displayOptions }: INodeProperties, values: IDataObject): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(
		([name, shownAt]) => shownAt?.includes((values[name] ?? false) as string) ?? true,
	);
}

function validate(field: INodeProperties, given: unknown, shape?: Format): IDataObject[string] {
	if (isObject(given) && given.__rl === true) return validate(field, given.value, shape);
	const says: Invalid = (is, next) =>
		new RequestError({ message: `${field.displayName} ${is}`, hint: next });
	if (given === undefined || given === null || (typeof given === 'string' && given.trim() === '')) {
		if (field.required) throw says('is empty', 'Enter a value.');
		return undefined;
	}
	if (field.type === 'number') return toInteger(field, given, says);
	if (field.type === 'boolean') return toBoolean(given, says);
	if (field.type === 'json') return toObject(given, says);
	if (field.type === 'multiOptions') return toStringList(given, says);
	if (typeof given !== 'string' && typeof given !== 'number') {
		throw says('is not a text', 'Enter a text.');
	}
	const text = String(given);
	if (shape && !shape.pattern.test(text.trim())) throw says(`is not ${shape.expected}`, shape.hint);
	if (!shape && field.type !== 'resourceLocator') return text;
	return shape?.normalize?.(text.trim()) ?? text.trim();
}

type Invalid = (is: string, next: string) => RequestError;

/** An expression or an agent may hand over a number as text; the service is sent a number. */
function toInteger({ typeOptions }: INodeProperties, given: unknown, says: Invalid): number {
	const value = typeof given === 'string' ? Number(given) : given;
	const least = typeOptions?.minValue ?? -Infinity;
	if (typeof value === 'number' && Number.isInteger(value) && value >= least) return value;
	const atLeast = least === -Infinity ? '' : ` that is ${least} or more`;
	throw says(`is not a whole number${atLeast}`, 'Enter such a number.');
}

function toBoolean(given: unknown, says: Invalid): boolean {
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	throw says('is neither true nor false', 'Enter one of the two.');
}

function toStringList(given: unknown, says: Invalid): string[] {
	if (Array.isArray(given) && given.every((entry) => typeof entry === 'string')) return given;
	throw says('is not a list of texts', 'Choose from the list.');
}

function toObject(given: unknown, says: Invalid): IDataObject {
	const value = typeof given === 'string' ? tryParseJson(given) : given;
	if (isObject(value)) return value;
	throw says('is not a JSON object', 'Enter one such as { "background": "blue" }.');
}
