import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { isDeeperThan, isObject, MAX_DEPTH, tryParseJson } from '../client/response/json';
import type { RequestContext } from '../client/send';
import { UserError } from '../errors/userError';
import { shorten } from '../errors/values';

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
	/**
	 * Whether an expression may not leave the value, or an entry of the collection, out by `null`: that
	 * would do more than the user wants.
	 */
	needsValues?: true;
}

/**
 * Finds the ID of the record that a text describes.
 *
 * @param text not empty
 * @throws UserError if it is not exactly one
 */
type FindId = (text: string, client: Client) => Promise<string>;

/** The validated values of an item's parameters. A parameter that is not set is missing. */
interface Parameters {
	/** All values by name but the JSON parameter's; the entries of a collection count by themselves. */
	values: IDataObject;
	/** Those to send. */
	payload: IDataObject;
	/** The JSON parameter, which is merged into the payload last. */
	customPayload: IDataObject;
	/** Values that stand for an ID that is yet to be found, by name. */
	finders: Record<string, FindId>;
}

/**
 * Reads and validates the parameters of one item, before any request is sent. A hidden parameter, or
 * a hidden entry of a collection, counts as not set; those that it depends on are declared before it.
 * A JSON parameter is merged into the payload last, so that a field which `service/openapi.yaml` does
 * not list can be sent.
 *
 * What is left empty by hand or by an agent is left out. An expression that returns nothing is an
 * error in a collection, where whoever added the entry wants a value; `null` leaves it out.
 *
 * @throws UserError naming the parameter and what it must be
 */
export function readParameters(context: RequestContext, fields: Field[]): Parameters {
	const values: IDataObject = {};
	const payload: IDataObject = {};
	const finders: Parameters['finders'] = {};
	const empty: EmptyField[] = [];
	let customPayload: IDataObject = {};
	const add = (field: Field, returned: unknown, path: string, isEntry = false) => {
		if (!isVisible(field, values)) return;
		const given = isDate(returned) ? returned.toJSON() : returned;
		const { isOfAgent, isOfUser } = readOrigin(context, path, given);
		if (isEmpty(given) || (isOfAgent && isWordForNothing(given))) {
			const mayBeMissing = !field.needsValues && (!isEntry || returned === null);
			if (field.required || (isOfUser && !mayBeMissing)) empty.push({ field, isOfUser, isEntry });
			return;
		}
		const value = validate(field, given);
		if (field.type === 'json') customPayload = value as IDataObject;
		else values[field.name] = value;
		if (field.type !== 'json' && !field.isLocal) payload[field.name] = value;
	};
	for (const field of fields) {
		if (field.type === 'notice') continue;
		const { name, isLocal, needsValues } = field;
		const given: unknown = context.getNodeParameter(name, null);
		if (isObject(given) && given.__rl === true) {
			// An expression may return any mode, such as "constructor", which every object has.
			const findId = new Map(Object.entries(field.findBy ?? {})).get(given.mode as string);
			add(findId ? { ...field, format: undefined } : field, given.value, name);
			if (findId) finders[name] = findId;
		} else if (field.type !== 'collection') add(field, given, name);
		else if (isObject(given)) {
			const entries = (field.options as Field[]).filter((it) => Object.hasOwn(given, it.name));
			for (const entry of entries) {
				add({ isLocal, needsValues, ...entry }, given[entry.name], `${name}.${entry.name}`, true);
			}
		}
	}
	if (empty.length > 0) throw createEmptyError(empty);
	return { values, payload, customPayload, finders };
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

function validate(field: Field, given: unknown): IDataObject[string] {
	const invalid: Invalid = (problem, hint) =>
		new UserError(`${field.displayName} ${problem}`, hint);
	if (field.type === 'number') return readInteger(field, given, invalid);
	if (field.type === 'boolean') return readBoolean(given, invalid);
	if (field.type === 'json') return readObject(given, invalid);
	if (field.type === 'multiOptions') return readOptions(field, given, invalid);
	return findOption(field, given) ?? readText(field, given, invalid);
}

/** A field without the value that it needs, and whether an expression of the user returned none. */
interface EmptyField {
	field: Field;
	isOfUser?: boolean;
	isEntry: boolean;
}

/** @returns an error that names all of them, so that a user does not learn of one per run */
function createEmptyError(empty: EmptyField[]): UserError {
	const fields = empty.map(({ field }) => field);
	const isOne = fields.length === 1;
	const problem = `${listLabels(fields)} ${isOne ? 'is' : 'are'} empty`;
	if (!empty.every(({ isOfUser }) => isOfUser)) {
		const hints = fields.map(({ unknownValueHint = 'Enter a value.' }) => unknownValueHint);
		return new UserError(problem, [...new Set(hints)].join(' '));
	}
	const optional = empty.find(({ field, isEntry }) => isEntry && !field.needsValues);
	return new UserError(
		`${problem} because ${isOne ? 'its expression' : 'their expressions'} returned nothing`,
		optional
			? `Remove ${optional.field.displayName}, or let the expression return null to leave it out for this item.`
			: 'Check the expression, and that this item has the value it refers to.',
	);
}

/** "Title, Script and Voice" */
export function listLabels(fields: Field[]): string {
	const labels = fields.map(({ displayName }) => displayName);
	const last = labels.at(-1)!;
	return labels.length === 1 ? last : `${labels.slice(0, -1).join(', ')} and ${last}`;
}

/** Builds the error for the parameter, whose name precedes `problem`. */
type Invalid = (problem: string, hint: string) => UserError;

function readText(
	{ allowsObject, format, typeOptions, unknownValueHint }: Field,
	given: unknown,
	invalid: Invalid,
): string | IDataObject {
	if (allowsObject && isObject(given)) return given;
	if (typeof given !== 'string' && !Number.isFinite(given)) {
		throw invalid('must be text', 'Enter text, or an expression that returns text.');
	}
	const text = String(given);
	const trimmed = trim(text);
	// A script keeps its lines, and a secret every character.
	if (typeOptions?.rows || typeOptions?.password) return text;
	if (!format) return trimmed.replace(/\p{Cc}+/gu, ' ');
	const { expected, hint, normalize = () => trimmed, pattern } = format;
	const normalized = pattern.test(trimmed) ? normalize(trimmed) : undefined;
	if (normalized === undefined) {
		throw invalid(`must be ${expected}`, unknownValueHint ?? hint);
	}
	return normalized;
}

/** An expression or an agent may provide a number as text; a number is sent. "1.000" may be a thousand. */
function readInteger({ typeOptions }: Field, given: unknown, invalid: Invalid): number {
	const value = typeof given === 'string' && !given.includes('.000') ? Number(given) : given;
	const minimum = typeOptions?.minValue ?? -Infinity;
	if (typeof value === 'number' && Number.isInteger(value) && value >= minimum) {
		// A larger one would be sent as 1e+21.
		if (Number.isSafeInteger(value)) return value;
		throw invalid('is too large', 'Enter a smaller number.');
	}
	const range = minimum === -Infinity ? '' : ` of ${minimum} or more`;
	throw invalid(`must be a whole number${range}`, 'Correct the value.');
}

function readBoolean(given: unknown, invalid: Invalid): boolean {
	const value = typeof given === 'string' ? given.trim().toLowerCase() : given;
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw invalid('must be true or false', 'Correct the value.');
}

function readOptions(field: Field, given: unknown, invalid: Invalid): string[] {
	if (!Array.isArray(given)) throw invalid('must be a list', 'Select its entries from the list.');
	return given.map((entry) => {
		const value = findOption(field, entry);
		if (value !== undefined) return value;
		const known = (field.options as INodePropertyOptions[]).map((option) => option.value);
		const shown = shorten(String(JSON.stringify(entry)));
		throw invalid(`has an unknown entry: ${shown}`, `Use ${known.join(', ')}.`);
	});
}

/** An expression or an agent may spell an option in its own way. */
function findOption({ options = [] }: Field, given: unknown): string | undefined {
	// The text of an object may be an error.
	if (typeof given !== 'string' && typeof given !== 'number') return undefined;
	const values = (options as INodePropertyOptions[]).map(({ value }) => String(value));
	const wanted = trim(String(given)).toLowerCase();
	return values.find((value) => value.toLowerCase() === wanted);
}

function readObject(given: unknown, invalid: Invalid): IDataObject {
	const value = typeof given === 'string' ? tryParseJson(given) : given;
	// Merged into the request, this key would change the request object itself.
	const isShallow = !isDeeperThan(value, MAX_DEPTH);
	if (isObject(value) && isShallow && !JSON.stringify(value).includes('"__proto__":')) return value;
	throw invalid(
		'must be a JSON object without "__proto__"',
		'Enter one such as { "background": "blue" }. A text from an expression needs JSON.stringify.',
	);
}
