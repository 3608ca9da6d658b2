import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../client/response/json';
import type { RequestContext } from '../client/send';
import { UserError } from '../errors/userError';

import { assertEntries } from './collection';
import { convertValue, trim } from './convertValue';
import type { Field, FindId } from './field';

/** The parameters of one item. */
export interface Parameters {
	/** All values by name, also those of the entries of collections. */
	values: IDataObject;
	/** The values that are sent under their names. */
	payload: IDataObject;
	/** The entries of JSON objects that are merged into the payload last. */
	overrides: IDataObject;
	/** What finds the ID that a value stands for, by the name of the value. */
	finders: Record<string, FindId>;
}

/** A value of a field or of an entry of a collection, as n8n returned it. */
interface Given {
	field: Field;
	value: unknown;
	/** Where n8n finds it, such as `options.dryRun`. */
	path: string;
	findId?: FindId;
}

type Author = 'agent' | 'expression' | 'user';

const ENTER_VALUE =
	'Enter a value. If an expression returned nothing, check that this item has the value it refers to.';
/** What an expression without a value, or with an object in a text, becomes. */
const NOTHING = new Set(['', 'undefined', 'null', 'NaN', '[object Object]']);
/** What models write for "no value" where they cannot leave one out. */
const AGENT_NOTHING = /^\s*(null|none|n\/a|undefined)\s*$/i;

/**
 * Reads and validates the parameters of one item. A hidden one counts as not set, so a field must be
 * declared after those that its visibility depends on.
 *
 * @throws UserError naming the parameter and what it must be, or all those that are empty
 */
export function readParameters(context: RequestContext, fields: Field[]): Parameters {
	const parameters: Parameters = { values: {}, payload: {}, overrides: {}, finders: {} };
	const empty: string[] = [];
	for (const given of fields.flatMap((field) => listGiven(context, field, fields))) {
		const { field } = given;
		if (!isVisible(field, parameters.values)) continue;
		assertEvaluated(context, given);
		if (hasValue(context, given)) addValue(parameters, given);
		else if (isNeeded(context, given)) empty.push(field.displayName);
	}
	if (empty.length === 0) return parameters;
	throw new UserError(`${empty.join(', ')} ${empty.length > 1 ? 'are' : 'is'} empty`, ENTER_VALUE);
}

/** @returns the value of a field; of a collection, those of the entries that the user added */
function listGiven(context: RequestContext, field: Field, fields: Field[]): Given[] {
	const { name, type, isLocal, failsIfExpressionIsEmpty, options = [] } = field;
	const given = toGiven(field, context.getNodeParameter(name, null), name);
	// A collection that is not set is passed on as a whole, so that it can be reported as empty.
	if (type !== 'collection' || !hasValue(context, given)) return [given];
	const { value } = given;
	assertEntries(field, value, fields);
	const added = (options as Field[]).filter((entry) => Object.hasOwn(value, entry.name));
	return added.map((entry) => {
		const inherited = { isLocal, failsIfExpressionIsEmpty, ...entry };
		return toGiven(inherited, value[entry.name], `${name}.${entry.name}`);
	});
}

/** Like n8n's own nodes, any object with a mode and a value counts as a locator, even without `__rl`. */
function toGiven(field: Field, returned: unknown, path: string): Given {
	if (field.type !== 'resourceLocator') return { field, value: toPlain(returned), path };
	const isLocator =
		isObject(returned) && (returned.__rl === true || ('mode' in returned && 'value' in returned));
	const mode = isLocator ? (returned.mode as string) : 'id';
	const value = toPlain(isLocator ? returned.value : returned);
	// A mode such as "constructor", which every object has, is not in a map.
	const finders = new Map(Object.entries(field.findBy ?? {}));
	return { field, value, path, findId: finders.get(mode) ?? finders.get('id') };
}

function isVisible({ displayOptions }: Field, values: IDataObject): boolean {
	const conditions = Object.entries(displayOptions?.show ?? {});
	return conditions.every(([name, shown]) => shown?.includes((values[name] ?? false) as string));
}

/** A Date, or a Luxon DateTime, becomes ISO text. */
function toPlain(value: unknown): unknown {
	const { toJSON } = Object(value) as { toJSON?: unknown };
	return typeof toJSON === 'function' ? toJSON.call(value) : value;
}

/**
 * @throws UserError if a value is an expression that n8n did not evaluate: because the user wrote no "="
 *   before it, or because n8n chooses the route by this field (Resource and Operation)
 */
function assertEvaluated(context: RequestContext, { field, path }: Given): void {
	const { displayName, noDataExpression } = field;
	const raw = readRaw(context, path);
	if (noDataExpression) return assertNoExpression(displayName, raw);
	if (!containsUnevaluated(raw)) return;
	const summary = `${displayName} contains {{ … }}, which n8n did not evaluate: switch the field to Expression`;
	throw new UserError(summary, 'In the JSON of a workflow, an expression begins with "=".');
}

/**
 * For a field by whose value n8n chooses what to do. No such value has braces, so a text with them is an
 * expression: n8n drops the "=" of some.
 *
 * @throws UserError that says that n8n evaluates no expression there
 */
export function assertNoExpression(displayName: string, raw: unknown): void {
	const isExpression = typeof raw === 'string' && (raw.startsWith('=') || raw.includes('{{'));
	if (!isExpression) return;
	const summary = `${displayName} is an expression, which n8n does not evaluate for this field`;
	throw new UserError(summary, 'Enter its value.');
}

/**
 * @param raw what the workflow holds, in which an expression begins with "="
 * @returns whether a text in it that is no expression has a variable between double braces, such as
 *   "Dear {{ $json.name }}", but not "Dear {{ name }} for $5"
 */
function containsUnevaluated(raw: unknown): boolean {
	if (typeof raw !== 'string') return Object.values(raw ?? {}).some(containsUnevaluated);
	const closed = raw.startsWith('=') ? [] : raw.split('}}').slice(0, -1);
	return closed.some((part) => part.includes('{{') && part.includes('$', part.indexOf('{{')));
}

/** An agent cannot leave out a field, so the word that it writes instead is no value. */
function hasValue(context: RequestContext, { value, path }: Given): boolean {
	if (isEmpty(value)) return false;
	const isAgentsNothing = typeof value === 'string' && AGENT_NOTHING.test(value);
	return !isAgentsNothing || readAuthor(context, path) !== 'agent';
}

function isNeeded(context: RequestContext, { field, path }: Given): boolean {
	const { required = false, options = [] } = field;
	// If the whole collection is an expression that returns nothing, an entry such as Dry Run would
	// silently not apply either.
	const isExpected = [field, ...(options as Field[])].some((it) => it.failsIfExpressionIsEmpty);
	return required || (isExpected && readAuthor(context, path) === 'expression');
}

/** A list within a list is a mistake that is to be told as such, so it is not empty. */
function isEmpty(given: unknown): boolean {
	if (Array.isArray(given)) return given.every((it) => !Array.isArray(it) && isEmpty(it));
	return !isObject(given) && NOTHING.has(trim(String(given)));
}

/** @returns who wrote a value. It is read only where it matters, because it may be as long as a script. */
function readAuthor(context: RequestContext, path: string): Author {
	const raw = readRaw(context, path);
	const text = String(isObject(raw) ? raw.value : raw);
	if (!text.startsWith('=')) return 'user';
	return /\$fromai/i.test(text) ? 'agent' : 'expression';
}

/**
 * @returns what the workflow holds for a value, such as "={{ $json.text }}". For an entry of a collection
 *   that is an expression as a whole, it is that expression
 */
function readRaw(context: RequestContext, path: string): unknown {
	const [name = '', entry] = path.split('.');
	const raw: unknown = context.getNodeParameter(name, null, { rawExpressions: true });
	return entry !== undefined && isObject(raw) ? raw[entry] : raw;
}

function addValue({ values, payload, overrides, finders }: Parameters, given: Given): void {
	const { field, findId } = given;
	const { name, isLocal, isMergedLast } = field;
	const value = convertValue(field, given.value);
	values[name] = value;
	if (isMergedLast) Object.assign(overrides, value);
	else if (!isLocal) payload[name] = value;
	if (findId) finders[name] = findId;
}
