import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../client/response/json';
import type { RequestContext } from '../client/send';
import { UserError } from '../errors/userError';

import { assertEntries, assertNothingIgnored, collectEntries, type Entries } from './collection';
import { convertValue, trim } from './convertValue';
import type { Field, FindId } from './field';
import { readAuthor, type Given } from './given';
import { assertEvaluated, assertNoObject, OBJECT_AS_TEXT } from './unevaluated';

/** The parameters of one item. */
export interface Parameters {
	/**
	 * All values by name, also those of the entries of collections. So within an operation or event no two
	 * fields have one name, which test/description/fieldNames.test.ts checks.
	 */
	values: IDataObject;
	/** The values that are sent under their names. */
	payload: IDataObject;
	/** The entries of JSON objects that are merged into the payload last. */
	overrides: IDataObject;
	/** What finds the ID that a value stands for, by the name of the value. */
	finders: Record<string, FindId>;
}

const ENTER_VALUE =
	'Enter a value. If an expression returned nothing, check that this item has the value it refers to.';
/** What an expression without a value, or with an object in a text, becomes. */
const NOTHING = new Set(['', 'undefined', 'null', 'NaN', OBJECT_AS_TEXT]);
/** What models write for "no value" where they cannot leave one out. */
const AGENT_NOTHING = /^\s*(null|none|n\/a|undefined)\s*$/i;

/**
 * Reads and validates the parameters of one item. A hidden one counts as not set, so a field must be
 * declared after those that its visibility depends on.
 *
 * @param entries those of the collections of the whole node
 * @throws UserError naming the parameter and what it must be, or all those that are empty
 */
export function readParameters(
	context: RequestContext,
	fields: Field[],
	entries = collectEntries(fields),
): Parameters {
	assertNothingIgnored(context.getNode().parameters, fields, entries);
	const parameters: Parameters = { values: {}, payload: {}, overrides: {}, finders: {} };
	const empty: string[] = [];
	for (const given of fields.flatMap((field) => listGiven(context, field, fields, entries))) {
		const { field } = given;
		if (!isVisible(field, parameters.values)) continue;
		assertEvaluated(context, given);
		const isSet = hasValue(context, given);
		if (!isSet && isNeeded(context, given)) {
			empty.push(field.displayName);
			continue;
		}
		assertNoObject(context, given);
		if (isSet) addValue(parameters, given);
	}
	if (empty.length === 0) return parameters;
	throw new UserError(`${empty.join(', ')} ${empty.length > 1 ? 'are' : 'is'} empty`, ENTER_VALUE);
}

/** @returns the value of a field; of a collection, those of the entries that the user added */
function listGiven(
	context: RequestContext,
	field: Field,
	fields: Field[],
	entries: Entries,
): Given[] {
	const { name, type, isLocal, failsIfExpressionIsEmpty, options = [] } = field;
	const given = toGiven(field, context.getNodeParameter(name, null), name);
	// A collection that is not set is passed on as a whole, so that it can be reported as empty.
	if (type !== 'collection' || !hasValue(context, given)) return [given];
	const { value } = given;
	assertEntries(field, value, fields, entries);
	const added = (options as Field[]).filter((entry) => Object.hasOwn(value, entry.name));
	return added.map((entry) => {
		const inherited = { isLocal, failsIfExpressionIsEmpty, ...entry };
		return toGiven(inherited, value[entry.name], `${name}.${entry.name}`);
	});
}

/**
 * Like n8n's own nodes, any object with a mode and a value counts as a locator, even without `__rl`. A model
 * writes one for an ID that is plain text, too.
 */
function toGiven(field: Field, returned: unknown, path: string): Given {
	const { type, findBy = {} } = field;
	const mayBeLocator = type === 'resourceLocator' || type === 'string';
	const isLocator =
		mayBeLocator &&
		isObject(returned) &&
		(returned.__rl === true || ('mode' in returned && 'value' in returned));
	const mode = isLocator ? (returned.mode as string) : 'id';
	const value = toPlain(isLocator ? returned.value : returned);
	// A mode such as "constructor", which every object has, is not in a map.
	const finders = new Map(Object.entries(findBy));
	// The editor keeps the label of what a user picked from the list.
	const isPicked = isLocator && mode === 'list' && typeof returned.cachedResultName === 'string';
	const finder = isPicked ? finders.get('picked') : finders.get(mode);
	return { field, value, path, findId: finder ?? finders.get('id') };
}

function isVisible({ displayOptions }: Field, values: IDataObject): boolean {
	const conditions = Object.entries(displayOptions?.show ?? {});
	return conditions.every(([name, shown]) => shown?.includes((values[name] ?? false) as string));
}

/**
 * A Date, or a Luxon DateTime, becomes ISO text. In a query, n8n would send its inner fields
 * (findings/now-is-many-parameters).
 */
function toPlain(value: unknown): unknown {
	const { toJSON } = Object(value) as { toJSON?: unknown };
	return typeof toJSON === 'function' ? toJSON.call(value) : value;
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

function addValue({ values, payload, overrides, finders }: Parameters, given: Given): void {
	const { field, findId } = given;
	const { name, isLocal, isMergedLast } = field;
	const value = convertValue(field, given.value);
	values[name] = value;
	if (isMergedLast) Object.assign(overrides, value);
	else if (!isLocal) payload[name] = value;
	if (findId) finders[name] = findId;
}
