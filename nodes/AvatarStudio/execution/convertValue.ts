import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { isObject, tryParseJson } from '../client/response/json';
import { quote } from '../errors/formatText';
import { UserError } from '../errors/userError';

import type { Field, Format } from './field';

const TEXT: Format = {
	expected: 'text',
	hint: 'Enter text, or an expression that returns text.',
	parse: toCleanLine,
};
const ENTER_JSON =
	'Enter one such as { "background": "blue" }. A text from an expression needs JSON.stringify.';
/** White space, control characters, halves of characters, and others that nobody sees. */
const INVISIBLE = '[\\s\\p{Cc}\\p{Cs}\\xad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800]';
/** The look-behind keeps the expression from starting again at each character of a long run of them. */
const INVISIBLE_ENDS = new RegExp(`^${INVISIBLE}+|(?<!${INVISIBLE})${INVISIBLE}+$`, 'gu');

/** Removes what nobody sees from both ends of a text. */
export function trim(text: string): string {
	return text.replace(INVISIBLE_ENDS, '');
}

/**
 * Removes what databases and XML refuse: control characters, which come with the text of a PDF or a sheet,
 * and halves of characters, because an expression may cut a text within an emoji. Tabs and line ends stay;
 * presentations and PDFs end lines and pages with a vertical tab and a form feed.
 */
function cleanText(text: string): string {
	return text.replace(/[\v\f]/g, '\n').replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '');
}

/** @returns a text as `cleanText` does, in one line: a title has no tabs and line ends */
export function toCleanLine(text: string): string {
	return cleanText(text).replace(/\p{Cc}+/gu, ' ');
}

type Convert = (field: Field, given: unknown) => IDataObject[string];

/** How the value of each type of field is converted; of any other type, it is text. */
const CONVERSIONS: Partial<Record<Field['type'], Convert>> = {
	boolean: convertBoolean,
	json: convertJson,
	multiOptions: convertOptions,
	number: convertNumber,
	options: convertOption,
};

/**
 * Converts a value that is not empty into what is sent. An expression or an agent may write it in its
 * own way, such as a number as text, or the label of an option.
 *
 * @throws UserError that names the field and what it must be
 */
export const convertValue: Convert = (field, given) => {
	const convert = CONVERSIONS[field.type] ?? convertText;
	return convert(field, given);
};

function convertBoolean(field: Field, given: unknown): boolean {
	const text = trim(String(given)).toLowerCase();
	if (text === 'true' || text === 'false') return text === 'true';
	throw createValueError(field, 'true or false', 'Correct the value.');
}

function convertNumber(field: Field, given: unknown): number {
	const minimum = field.typeOptions?.minValue ?? 0;
	// "1.000" is one in some countries and a thousand in others, so it is no number here.
	const isAmbiguous = typeof given === 'string' && given.includes('.000');
	const value = typeof given === 'string' && !isAmbiguous ? Number(given) : given;
	// A larger number than JavaScript can hold would be sent as 1e+21.
	if (Number.isSafeInteger(value) && (value as number) >= minimum) return value as number;
	const expected = `a whole number of ${minimum} or more`;
	throw createValueError(field, expected, 'Enter it in digits, no more than 15.');
}

function convertOptions(field: Field, given: unknown): string[] {
	const values = Array.isArray(given)
		? given.map((entry) => findOption(field, entry))
		: [undefined];
	if (values.every((value) => value !== undefined)) return values;
	const expected = `a list of ${listOptions(field)}`;
	throw createValueError(field, expected, 'Select its entries from the list.');
}

function convertOption(field: Field, given: unknown): IDataObject[string] {
	// A list that is loaded may lack what the service accepts, so any text is valid.
	if (field.typeOptions?.loadOptionsMethod) return convertText(field, given);
	const value = findOption(field, typeof given === 'number' ? String(given) : given);
	if (value !== undefined) return value;
	throw createValueError(field, `one of ${listOptions(field)}`, 'Select it from the list.');
}

/** @returns the value of the option whose value, or else whose label, is the text, ignoring case */
function findOption({ options = [] }: Field, given: unknown): string | undefined {
	if (typeof given !== 'string') return undefined;
	const wanted = trim(given).toLowerCase();
	const choices = options as INodePropertyOptions[];
	const isWanted = (text: unknown) => String(text).toLowerCase() === wanted;
	const chosen =
		choices.find(({ value }) => isWanted(value)) ?? choices.find(({ name }) => isWanted(name));
	return chosen && String(chosen.value);
}

function listOptions({ options = [] }: Field): string {
	return (options as INodePropertyOptions[]).map(({ value }) => value).join(', ');
}

function convertJson(field: Field, given: unknown): IDataObject {
	const parsed = typeof given === 'string' ? tryParseJson(given) : given;
	if (!isObject(parsed)) throw createValueError(field, 'a JSON object', ENTER_JSON);
	return JSON.parse(JSON.stringify(parsed), (_key, value: unknown) => {
		if (typeof value === 'string') return cleanText(value);
		if (!isObject(value)) return value;
		const entries = Object.entries(value).map(([key, inner]) => [cleanText(key), inner] as const);
		return Object.fromEntries(entries);
	}) as IDataObject;
}

function convertText(field: Field, given: unknown): IDataObject[string] {
	const { allowsObject, format = TEXT, typeOptions = {} } = field;
	if (allowsObject && isObject(given)) return given;
	const isText = typeof given === 'string' || Number.isFinite(given);
	if (!isText) throw createValueError(field, format.expected, format.hint);
	const text = String(given);
	// A secret keeps every character, and a script its lines.
	if (typeOptions.password) return text;
	if (typeOptions.rows) return cleanText(text);
	const trimmed = trim(text);
	const value = format.parse(trimmed);
	if (value !== undefined) return value;
	const problem = format.findProblem?.(trimmed);
	const hint = problem === undefined ? format.hint : `${format.hint} ${quote(trimmed)} ${problem}.`;
	throw createValueError(field, format.expected, hint);
}

function createValueError({ displayName }: Field, expected: string, hint: string): UserError {
	return new UserError(`${displayName} must be ${expected}`, hint);
}
