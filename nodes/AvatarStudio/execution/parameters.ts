import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { isObject, tryParseJson } from '../client/response/json';
import type { RequestContext } from '../client/send';
import { UserError } from '../errors/userError';

import type { Picker } from './picker';

/** What a text must look like. */
export interface Format {
	/** Completes "Asset must be …". */
	expected: string;
	hint: string;
	/** @returns what is sent, or undefined if the text is not valid */
	parse: (text: string) => string | undefined;
}

const TEXT: Format = {
	expected: 'text',
	hint: 'Enter text, or an expression that returns text.',
	parse: (text) => text.replace(/\p{Cc}+/gu, ' '),
};

/** A parameter of the node, with what n8n's own description has no place for. */
export interface Field extends INodeProperties {
	format?: Format;
	/** Whether an expression may return an object instead of text. */
	allowsObject?: true;
	/** For a resource locator: finds the ID that a text stands for, by mode. */
	findBy?: Record<string, (text: string, client: Client) => Promise<string>>;
	/** For a resource locator with a list: what the list offers. */
	picker?: Picker;
	/** Whether the value, or all entries of a collection, are not sent under their own names. */
	isLocal?: true;
	/** Whether an expression must return a value: without one, more would be done than is wanted. */
	failsIfExpressionIsEmpty?: true;
}

const ENTER_VALUE =
	'Enter a value. If an expression returned nothing, check that this item has the value it refers to.';
const ENTER_JSON =
	'Enter one such as { "background": "blue" }. A text from an expression needs JSON.stringify.';
/** White space, control characters, half of a character and what else nobody sees. */
const INVISIBLE = '[\\s\\p{Cc}\\p{Cs}\\xad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800]';
/** A run is tried once only. */
const INVISIBLE_ENDS = new RegExp(`^${INVISIBLE}+|(?<!${INVISIBLE})${INVISIBLE}+$`, 'gu');
/** Nothing, and what JavaScript makes of it, or of an object, in a text. */
const NOTHING = new Set(['', 'undefined', 'null', 'NaN', '[object Object]']);
/** What models write for "no value" where they cannot leave one out. */
const AGENT_NOTHING = /^\s*(null|none|n\/a|undefined)\s*$/i;

/**
 * Reads and validates the parameters of one item. A hidden one, which is declared after those that it
 * depends on, counts as not set.
 *
 * @returns all values by name, also of the entries of a collection; the payload of those that are sent
 *   under their names; and what finds the IDs that values stand for
 * @throws UserError naming the parameter and what it must be, or all those that are empty
 */
export function readParameters(context: RequestContext, fields: Field[]) {
	const values: IDataObject = {};
	const payload: IDataObject = {};
	const finders: NonNullable<Field['findBy']> = {};
	const empty: string[] = [];
	const add = (field: Field, returned: unknown, path: string) => {
		if (!isVisible(field, values)) return;
		const given = toPlain(returned);
		const isNothing = isEmpty(given);
		const isUnclear = isNothing || (typeof given === 'string' && AGENT_NOTHING.test(given));
		const author = isUnclear ? readAuthor(context, path) : undefined;
		if (isNothing || author === 'agent') {
			const isNeeded = field.failsIfExpressionIsEmpty && author === 'expression';
			if (field.required || isNeeded) empty.push(field.displayName);
			return;
		}
		values[field.name] = convert(field, given);
		// JSON is merged into the payload last.
		if (!field.isLocal && field.type !== 'json') payload[field.name] = values[field.name];
	};
	for (const field of fields) {
		const { name, type, isLocal, failsIfExpressionIsEmpty, findBy = {}, options = [] } = field;
		const given: unknown = context.getNodeParameter(name, null);
		if (isObject(given) && given.__rl === true) {
			// An expression may return any mode, such as "constructor", which every object has.
			const findId = new Map(Object.entries(findBy)).get(given.mode as string);
			add(findId ? { ...field, format: undefined } : field, given.value, name);
			if (findId && name in values) finders[name] = findId;
		} else if (type !== 'collection') add(field, given, name);
		else if (isObject(given)) {
			for (const entry of (options as Field[]).filter((it) => Object.hasOwn(given, it.name))) {
				add(
					{ isLocal, failsIfExpressionIsEmpty, ...entry },
					given[entry.name],
					`${name}.${entry.name}`,
				);
			}
		}
	}
	if (empty.length === 0) return { values, payload, finders };
	throw new UserError(`${empty.join(', ')} ${empty.length > 1 ? 'are' : 'is'} empty`, ENTER_VALUE);
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

/** Removes what nobody sees from both ends of a text. */
function trim(text: string): string {
	return text.replace(INVISIBLE_ENDS, '');
}

function isEmpty(given: unknown): boolean {
	if (Array.isArray(given)) return given.every((it) => !Array.isArray(it) && isEmpty(it));
	return !isObject(given) && NOTHING.has(trim(String(given)));
}

/** Who wrote a value. Read only if it may be empty: it takes as long as the value. */
function readAuthor(context: RequestContext, path: string): 'agent' | 'expression' | 'user' {
	const raw: unknown = context.getNodeParameter(path, null, { rawExpressions: true });
	const text = String(isObject(raw) ? raw.value : raw);
	if (/\$fromai/i.test(text)) return 'agent';
	return text.startsWith('=') ? 'expression' : 'user';
}

/** An expression or an agent may write a value in its own way, such as a number as text. */
function convert(field: Field, given: unknown): IDataObject[string] {
	const refuse = (expected: string, hint: string) =>
		new UserError(`${field.displayName} must be ${expected}`, hint);
	switch (field.type) {
		case 'boolean': {
			const text = String(given).trim().toLowerCase();
			if (text === 'true' || text === 'false') return text === 'true';
			throw refuse('true or false', 'Correct the value.');
		}
		case 'number': {
			const minimum = field.typeOptions?.minValue ?? 0;
			// "1.000" may be a thousand, and what JavaScript cannot hold would be sent as 1e+21.
			const value = typeof given === 'string' && !given.includes('.000') ? Number(given) : given;
			if (Number.isSafeInteger(value) && (value as number) >= minimum) return value as number;
			throw refuse(`a whole number of ${minimum} or more`, 'Enter it in digits, no more than 15.');
		}
		case 'multiOptions': {
			const entries: unknown[] = Array.isArray(given) ? given : [undefined];
			const values = entries.flatMap((entry) => findOption(field, entry) ?? []);
			if (values.length === entries.length) return values;
			const known = (field.options as INodePropertyOptions[]).map(({ value }) => value);
			throw refuse(`a list of ${known.join(', ')}`, 'Select its entries from the list.');
		}
		case 'json': {
			const value = typeof given === 'string' ? tryParseJson(given) : given;
			if (isObject(value)) return value;
			throw refuse('a JSON object', ENTER_JSON);
		}
		default: {
			const { allowsObject, format = TEXT, typeOptions = {} } = field;
			if (allowsObject && isObject(given)) return given;
			const isText = typeof given === 'string' || Number.isFinite(given);
			const text = isText ? String(given) : '';
			// A script keeps its lines, and a secret every character.
			if (isText && (typeOptions.rows || typeOptions.password)) return text;
			const value = findOption(field, text) ?? format.parse(trim(text));
			if (isText && value !== undefined) return value;
			throw refuse(format.expected, format.hint);
		}
	}
}

function findOption({ options = [] }: Field, given: unknown): string | undefined {
	const wanted = typeof given === 'string' ? trim(given).toLowerCase() : undefined;
	const values = (options as INodePropertyOptions[]).map(({ value }) => String(value));
	return values.find((value) => value.toLowerCase() === wanted);
}
