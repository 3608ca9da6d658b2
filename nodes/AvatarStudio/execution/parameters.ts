import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { isObject, isTooComplex, tryParseJson } from '../client/response/json';
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
	/** Where to find a valid value, if the service does not know this one. */
	unknownValueHint?: string;
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

const CHECK_EXPRESSION =
	'Check the expression, and that this item has the value it refers to. In Options and Additional Fields, an expression that returns null leaves a field out.';

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
	let isOfUsers = true;
	const add = (field: Field, returned: unknown, path: string, isEntry = false) => {
		if (!isVisible(field, values)) return;
		const given = isDate(returned) ? returned.toJSON() : returned;
		const { isOfAgent, isOfUser } = readOrigin(context, path, given);
		if (isEmpty(given) || (isOfAgent && isWordForNothing(given))) {
			const isNeeded = field.needsValues ?? (isEntry && returned !== null);
			if (!field.required && !(isOfUser && isNeeded)) return;
			isOfUsers &&= isOfUser === true;
			empty.push(field);
			return;
		}
		const value = convert(field, given);
		if (field.type === 'json') parameters.customPayload = value as IDataObject;
		else values[field.name] = value;
		if (field.type !== 'json' && !field.isLocal) payload[field.name] = value;
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
	if (empty.length > 0) throw createEmptyError(empty, isOfUsers);
	return parameters;
}

/** What a model writes for a value that it lacks, but cannot leave out. */
function isWordForNothing(given: unknown): boolean {
	return typeof given === 'string' && /^\s*(null|none|n\/a|undefined)\s*$/i.test(given);
}

/** Whether an agent or an expression of the user gave what may be no value. */
function readOrigin(context: RequestContext, path: string, given: unknown) {
	if (!isEmpty(given) && !isWordForNothing(given)) return {};
	const raw: unknown = context.getNodeParameter(path, null, { rawExpressions: true });
	const text = String(isObject(raw) ? raw.value : raw);
	const isOfAgent = /\$fromai/i.test(text);
	return { isOfAgent, isOfUser: text.startsWith('=') && !isOfAgent };
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
function createEmptyError(empty: Field[], isOfUsers: boolean): UserError {
	const [are, their] = empty.length === 1 ? ['is', 'its expression'] : ['are', 'their expressions'];
	const reason = isOfUsers ? ` because ${their} returned nothing` : '';
	const hints = isOfUsers
		? [CHECK_EXPRESSION]
		: empty.map(({ unknownValueHint = 'Enter a value.' }) => unknownValueHint);
	return new UserError(`${listLabels(empty)} ${are} empty${reason}`, [...new Set(hints)].join(' '));
}

/** "Title, Script and Voice" */
export function listLabels(fields: Field[]): string {
	const labels = fields.map(({ displayName }) => displayName);
	const last = labels.pop()!;
	return labels.length === 0 ? last : `${labels.join(', ')} and ${last}`;
}

/** A value as it is sent, undefined if it is not valid; what it must be, and what to do. */
type Conversion = [value: IDataObject[string], expected: string, hint: string];

/** An expression or an agent may write a value in its own way, such as a number as text. */
function convert(field: Field, given: unknown): IDataObject[string] {
	const conversions: Record<string, typeof toText> = {
		boolean: toBoolean,
		json: toObject,
		multiOptions: toOptions,
		number: toInteger,
	};
	const [value, expected, hint] = (conversions[field.type] ?? toText)(field, given);
	if (value !== undefined) return value;
	throw new UserError(`${field.displayName} must be ${expected}`, hint);
}

function toText(field: Field, given: unknown): Conversion {
	const { allowsObject, format, typeOptions = {}, unknownValueHint } = field;
	const hint = format
		? (unknownValueHint ?? format.hint)
		: 'Enter text, or an expression that returns text.';
	const read = () => {
		if (allowsObject && isObject(given)) return given;
		if (typeof given !== 'string' && !Number.isFinite(given)) return undefined;
		const text = String(given);
		// A script keeps its lines, and a secret every character.
		if (typeOptions.rows || typeOptions.password) return text;
		const trimmed = trim(text);
		const option = findOption(field, text);
		if (option !== undefined) return option;
		if (!format) return trimmed.replace(/\p{Cc}+/gu, ' ');
		const { normalize = String, pattern } = format;
		return pattern.test(trimmed) ? normalize(trimmed) : undefined;
	};
	return [read(), format?.expected ?? 'text', hint];
}

/** "1.000" may be a thousand, and what JavaScript cannot hold would be sent as 1e+21. */
function toInteger({ typeOptions }: Field, given: unknown): Conversion {
	const minimum = typeOptions?.minValue ?? 0;
	const value = typeof given === 'string' && !given.includes('.000') ? Number(given) : given;
	const isValid = typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum;
	const expected = `a whole number of ${minimum} or more`;
	return [isValid ? value : undefined, expected, 'Enter it in digits, no more than 15.'];
}

function toBoolean(_field: Field, given: unknown): Conversion {
	const text = String(given).trim().toLowerCase();
	const value = ['true', 'false'].includes(text) ? text === 'true' : undefined;
	return [value, 'true or false', 'Correct the value.'];
}

function toOptions(field: Field, given: unknown): Conversion {
	const entries: unknown[] = Array.isArray(given) ? given : [undefined];
	const values = entries.flatMap((entry) => findOption(field, entry) ?? []);
	const known = (field.options as INodePropertyOptions[]).map(({ value }) => value);
	const value = values.length === entries.length ? values : undefined;
	return [value, `a list of ${known.join(', ')}`, 'Select its entries from the list.'];
}

function findOption({ options = [] }: Field, given: unknown): string | undefined {
	const wanted = typeof given === 'string' ? trim(given).toLowerCase() : undefined;
	const values = (options as INodePropertyOptions[]).map(({ value }) => String(value));
	return values.find((value) => value.toLowerCase() === wanted);
}

/** Merged into the request, the key `__proto__` would change the request object itself. */
function toObject(_field: Field, given: unknown): Conversion {
	const value = typeof given === 'string' ? tryParseJson(given) : given;
	const isShallow = isObject(value) && !isTooComplex(value);
	const isValid = isShallow && !JSON.stringify(value).includes('"__proto__":');
	return [
		isValid ? value : undefined,
		'a JSON object without "__proto__"',
		'Enter one such as { "background": "blue" }. A text from an expression needs JSON.stringify.',
	];
}
