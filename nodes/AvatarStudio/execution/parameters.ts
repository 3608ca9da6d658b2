import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { isObject, tryParseJson } from '../client/response/json';
import type { RequestContext } from '../client/send';
import { UserError } from '../errors/userError';

import { isEmpty, trim, type Format } from './formats';

/** A parameter of the node, with what n8n's own description has no place for. */
export interface Field extends INodeProperties {
	/** What a text must look like; checked before any request is sent. */
	format?: Format;
	/** Whether an expression may return an object instead of text. */
	allowsObject?: true;
	/** For a resource locator: finds the ID that a text stands for, by mode. */
	findBy?: Record<string, FindId>;
	/** Whether the value, or all entries of a collection, are not sent under their own names. */
	isLocal?: true;
	/** Whether `null` may not leave the value, or an entry, out: that would do more than is wanted. */
	needsValues?: true;
}

type FindId = (text: string, client: Client) => Promise<string>;

/** The validated values of an item's parameters. A parameter that is not set is missing. */
interface Parameters {
	/** All values by name but the JSON parameter's; the entries of a collection count by themselves. */
	values: IDataObject;
	payload: IDataObject;
	/** The JSON parameter, which is merged into the payload last. */
	customPayload: IDataObject;
	/** Values that stand for an ID that is yet to be found, by name. */
	finders: Record<string, FindId>;
}

const ENTER_VALUE =
	'Enter a value. If an expression returned nothing, check that this item has the value it refers to.';

/**
 * Reads and validates the parameters of one item, before any request is sent. A hidden parameter, or
 * a hidden entry of a collection, counts as not set; those that it depends on are declared before it.
 *
 * What is left empty by hand or by an agent is left out. An expression that returns nothing is an
 * error in a collection, where whoever added the entry wants a value; `null` leaves it out.
 *
 * @throws UserError naming the parameter and what it must be
 */
export function readParameters(context: RequestContext, fields: Field[]): Parameters {
	const parameters: Parameters = { values: {}, payload: {}, customPayload: {}, finders: {} };
	const { values, payload, finders } = parameters;
	const empty: Field[] = [];
	const add = (field: Field, returned: unknown, path: string, isEntry = false) => {
		if (!isVisible(field, values)) return;
		const given = isDate(returned) ? returned.toJSON() : returned;
		const origin = readOrigin(context, path, given);
		if (isEmpty(given) || (origin === 'agent' && isWordForNothing(given))) {
			const isNeeded = field.needsValues ?? (isEntry && returned !== null);
			if (field.required || (origin === 'expression' && isNeeded)) empty.push(field);
			return;
		}
		const value = convert(field, given);
		if (field.type === 'json') {
			parameters.customPayload = value as IDataObject;
			return;
		}
		values[field.name] = value;
		if (!field.isLocal) payload[field.name] = value;
	};
	for (const field of fields) {
		const { name, type, isLocal, needsValues, findBy = {}, options = [] } = field;
		if (type === 'notice') continue;
		const given: unknown = context.getNodeParameter(name, null);
		if (isObject(given) && given.__rl === true) {
			// An expression may return any mode, such as "constructor", which every object has.
			const findId = new Map(Object.entries(findBy)).get(given.mode as string);
			add(findId ? { ...field, format: undefined } : field, given.value, name);
			if (findId) finders[name] = findId;
		} else if (type !== 'collection') add(field, given, name);
		else if (isObject(given)) {
			for (const entry of (options as Field[]).filter((it) => Object.hasOwn(given, it.name))) {
				add({ isLocal, needsValues, ...entry }, given[entry.name], `${name}.${entry.name}`, true);
			}
		}
	}
	if (empty.length > 0) throw createEmptyError(empty);
	return parameters;
}

/** What models write for "no value" where they cannot leave one out. */
function isWordForNothing(given: unknown): boolean {
	return typeof given === 'string' && /^\s*(null|none|n\/a|undefined)\s*$/i.test(given);
}

/** Who set an empty value. Not read for others: it takes as long as a value. */
function readOrigin(context: RequestContext, path: string, given: unknown) {
	if (!isEmpty(given) && !isWordForNothing(given)) return undefined;
	const raw: unknown = context.getNodeParameter(path, null, { rawExpressions: true });
	const text = String(isObject(raw) ? raw.value : raw);
	if (/\$fromai/i.test(text)) return 'agent';
	return text.startsWith('=') ? 'expression' : 'user';
}

/** A Luxon DateTime, or a Date of any JavaScript context. */
function isDate(value: unknown): value is { toJSON: () => string | null } {
	const isDateTime = isObject(value) && value.isLuxonDateTime === true;
	return isDateTime || Object.prototype.toString.call(value) === '[object Date]';
}

function isVisible({ displayOptions }: Field, values: IDataObject): boolean {
	return Object.entries(displayOptions?.show ?? {}).every(
		([name, visibleFor]) => visibleFor?.includes((values[name] ?? false) as string) ?? true,
	);
}

/** Names all of them, so that a user does not learn of one per run. */
function createEmptyError(empty: Field[]): UserError {
	const labels = empty.map(({ displayName }) => displayName).join(', ');
	return new UserError(`${labels} ${empty.length === 1 ? 'is' : 'are'} empty`, ENTER_VALUE);
}

/** An expression or an agent may write a value in its own way, such as a number as text. */
function convert(field: Field, given: unknown): IDataObject[string] {
	const converters: Record<string, typeof toText> = {
		boolean: toBoolean,
		json: toObject,
		multiOptions: toOptions,
		number: toInteger,
	};
	return (converters[field.type] ?? toText)(field, given);
}

function createInvalidError({ displayName }: Field, expected: string, hint: string): UserError {
	return new UserError(`${displayName} must be ${expected}`, hint);
}

function toText(field: Field, given: unknown): IDataObject[string] {
	const { allowsObject, format, typeOptions = {} } = field;
	if (allowsObject && isObject(given)) return given;
	if (typeof given !== 'string' && !Number.isFinite(given)) {
		const hint = format?.hint ?? 'Enter text, or an expression that returns text.';
		throw createInvalidError(field, format?.expected ?? 'text', hint);
	}
	const text = String(given);
	// A script keeps its lines, and a secret every character.
	if (typeOptions.rows || typeOptions.password) return text;
	const trimmed = trim(text);
	const option = findOption(field, text);
	if (option !== undefined || !format) return option ?? trimmed.replace(/\p{Cc}+/gu, ' ');
	const { normalize = String, pattern, expected, hint } = format;
	const value = pattern.test(trimmed) ? normalize(trimmed) : undefined;
	if (value !== undefined) return value;
	throw createInvalidError(field, expected, hint);
}

/** "1.000" may be a thousand, and what JavaScript cannot hold would be sent as 1e+21. */
function toInteger(field: Field, given: unknown): number {
	const minimum = field.typeOptions?.minValue ?? 0;
	const value = typeof given === 'string' && !given.includes('.000') ? Number(given) : given;
	if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum) return value;
	const expected = `a whole number of ${minimum} or more`;
	throw createInvalidError(field, expected, 'Enter it in digits, no more than 15.');
}

function toBoolean(field: Field, given: unknown): boolean {
	const text = String(given).trim().toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw createInvalidError(field, 'true or false', 'Correct the value.');
}

function toOptions(field: Field, given: unknown): string[] {
	const entries: unknown[] = Array.isArray(given) ? given : [undefined];
	const values = entries.flatMap((entry) => findOption(field, entry) ?? []);
	if (values.length === entries.length) return values;
	const known = (field.options as INodePropertyOptions[]).map(({ value }) => value);
	const expected = `a list of ${known.join(', ')}`;
	throw createInvalidError(field, expected, 'Select its entries from the list.');
}

function findOption({ options = [] }: Field, given: unknown): string | undefined {
	const wanted = typeof given === 'string' ? trim(given).toLowerCase() : undefined;
	const values = (options as INodePropertyOptions[]).map(({ value }) => String(value));
	return values.find((value) => value.toLowerCase() === wanted);
}

function toObject(field: Field, given: unknown): IDataObject {
	const value = typeof given === 'string' ? tryParseJson(given) : given;
	if (isObject(value)) return value;
	throw createInvalidError(
		field,
		'a JSON object',
		'Enter one such as { "background": "blue" }. A text from an expression needs JSON.stringify.',
	);
}
