import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject } from './answer';
import type { Context } from './exchange';
import { Failure, parsed } from './failure';

/** What a text must look like before a request leaves, beyond its type. */
export interface Shape {
	pattern: RegExp;
	/** Completes "Asset ID is not …". */
	is: string;
	/** What to do about it. */
	next: string;
	/** How it is sent, where not as it is. */
	as?: (text: string) => string;
}

export const UUID: Shape = {
	pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
	is: 'an ID of this service',
	next: 'Enter an ID like 123e4567-e89b-12d3-a456-426614174000.',
};

export const WEB_ADDRESS: Shape = {
	pattern: /^https?:\/\/[^\s/?#]+([/?#]\S*)?$/i,
	is: 'a web address',
	next: 'Enter one that starts with https:// or http://.',
	// People paste what the browser shows; an address on the wire has letters without accents only.
	as: (text) => (/^[!-~]+$/.test(text) ? text : new URL(text).href),
};

export type Shapes = Record<string, Shape>;

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
export function readFields(
	context: Context,
	fields: INodeProperties[],
	shapes: Shapes = {},
): IDataObject {
	const values: IDataObject = {};
	let merged: IDataObject = {};
	const take = (field: INodeProperties, given: unknown) => {
		if (!isShown(field, values)) return;
		const value = checked(field, given, shapes[field.name]);
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
function isShown({ displayOptions }: INodeProperties, values: IDataObject): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(
		([name, shownAt]) => shownAt?.includes((values[name] ?? false) as string) ?? true,
	);
}

function checked(field: INodeProperties, given: unknown, shape?: Shape): IDataObject[string] {
	if (isObject(given) && given.__rl === true) return checked(field, given.value, shape);
	const says: Says = (is, next) => new Failure({ happened: `${field.displayName} ${is}`, next });
	if (given === undefined || given === null || (typeof given === 'string' && given.trim() === '')) {
		if (field.required) throw says('is empty', 'Enter a value.');
		return undefined;
	}
	if (field.type === 'number') return numberOf(field, given, says);
	if (field.type === 'boolean') return booleanOf(given, says);
	if (field.type === 'json') return objectOf(given, says);
	if (field.type === 'multiOptions') return listOf(given, says);
	if (typeof given !== 'string' && typeof given !== 'number') {
		throw says('is not a text', 'Enter a text.');
	}
	const text = String(given);
	if (shape && !shape.pattern.test(text.trim())) throw says(`is not ${shape.is}`, shape.next);
	if (!shape && field.type !== 'resourceLocator') return text;
	return shape?.as?.(text.trim()) ?? text.trim();
}

type Says = (is: string, next: string) => Failure;

/** An expression or an agent may hand over a number as text; the service is sent a number. */
function numberOf({ typeOptions }: INodeProperties, given: unknown, says: Says): number {
	const value = typeof given === 'string' ? Number(given) : given;
	const least = typeOptions?.minValue ?? -Infinity;
	if (typeof value === 'number' && Number.isInteger(value) && value >= least) return value;
	const atLeast = least === -Infinity ? '' : ` that is ${least} or more`;
	throw says(`is not a whole number${atLeast}`, 'Enter such a number.');
}

function booleanOf(given: unknown, says: Says): boolean {
	if (given === true || given === 'true') return true;
	if (given === false || given === 'false') return false;
	throw says('is neither true nor false', 'Enter one of the two.');
}

function listOf(given: unknown, says: Says): string[] {
	if (Array.isArray(given) && given.every((entry) => typeof entry === 'string')) return given;
	throw says('is not a list of texts', 'Choose from the list.');
}

function objectOf(given: unknown, says: Says): IDataObject {
	const value = typeof given === 'string' ? parsed(given) : given;
	if (isObject(value)) return value;
	throw says('is not a JSON object', 'Enter one such as { "background": "blue" }.');
}
