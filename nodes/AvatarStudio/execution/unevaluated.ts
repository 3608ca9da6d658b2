import { isObject } from '../client/response/json';
import type { RequestContext } from '../client/send';
import { quote } from '../errors/formatText';
import { UserError } from '../errors/userError';

import { readAuthor, readRaw, type Given } from './given';

/** What JavaScript makes of an object that an expression joins with a text. */
export const OBJECT_AS_TEXT = '[object Object]';
/**
 * A text that is nothing but a reference to data: `$json.text`, `${$json.text}`, `$("Form").item.json.text`
 * or `$node["A"].json["text"]`. It begins with a variable or a call, and names at least one of its fields.
 */
const REFERENCE =
	/^(?:\$?\{\s*)?\$(?:[a-z]\w*(?:\([^()]*\))?|\([^()]*\))(?:\s*\??\.\s*[\p{L}_$][\p{L}\w$]*(?:\([^()]*\))?|\s*(?:\?\.)?\[[^[\]]*\])+\s*\}?$/iu;
/** A text that is nothing but a call of `$fromAI`, which has no field behind it. */
const FROM_AI = /^\$fromai\(.*\)$/is;
/** A text that is nothing but double braces with a name in them, such as `{{ text }}`. */
const BRACED = /^\{\{[^{}]+\}\}$/;
/** A variable with a field, or a call, within a text: `$json.text`, `$("Form")` or `$fromAI("text")`. */
const VARIABLE = /\$(?:[a-z]\w*(?:\??\.[\p{L}_$]|\[|\()|\(["'`])/iu;
/** A variable after an opening brace, as in a template of JavaScript: `${$json.text}`. */
const BEHIND_BRACE = new RegExp(`\\{\\s*${VARIABLE.source}`, 'iu');
/** A longer text, such as a script, is not checked for being a reference. */
const MAX_LENGTH = 500;

/**
 * @throws UserError if a value is an expression that n8n did not evaluate, because the user wrote it in
 *   another form, or because n8n chooses the route by this field (Resource and Operation;
 *   findings/unknown-operation-is-a-get)
 */
export function assertEvaluated(context: RequestContext, { field, path }: Given): void {
	const raw = readRaw(context, path);
	const { displayName, noDataExpression } = field;
	if (noDataExpression) return assertNoExpression(displayName, raw);
	const found = describeUnevaluated(raw);
	if (found === undefined) return;
	throw new UserError(
		`${displayName} ${found}, which n8n did not evaluate: switch the field to Expression`,
		'In the JSON of a workflow, an expression begins with "=" and has double braces, such as "={{ $json.text }}".',
	);
}

/**
 * For a field by whose value n8n chooses what to do. No such value has braces, so a text with them is an
 * expression: n8n drops the "=" of some (test/execution/slips.test.ts).
 *
 * @throws UserError that says that n8n evaluates no expression there
 */
export function assertNoExpression(displayName: string, raw: unknown): void {
	const isExpression =
		typeof raw === 'string' && (raw.startsWith('=') || raw.includes('{{') || isReference(raw));
	if (!isExpression) return;
	const summary = `${displayName} is an expression, which n8n does not evaluate for this field`;
	throw new UserError(summary, 'Enter its value.');
}

/** @throws UserError if an expression returned an object within a text */
export function assertNoObject(context: RequestContext, { field, value, path }: Given): void {
	const containsObject = typeof value === 'string' && value.includes(OBJECT_AS_TEXT);
	if (!containsObject || readAuthor(context, path) !== 'expression') return;
	const summary = `${field.displayName} contains "${OBJECT_AS_TEXT}", because its expression returned an object`;
	throw new UserError(summary, 'Refer to a field of the object, or use JSON.stringify.');
}

/** @returns what shows that a value holds an expression that n8n did not evaluate; undefined if nothing does */
function describeUnevaluated(raw: unknown): string | undefined {
	const text = isObject(raw) && 'mode' in raw ? raw.value : raw;
	if (containsText(raw, hasVariableInBraces)) return 'contains {{ … }}';
	if (isReference(text)) return `is ${quote(String(text))}`;
	return containsText(raw, hasBareVariable) ? 'contains a variable outside {{ … }}' : undefined;
}

/** @returns whether a value is such a text, or has one in it */
function containsText(raw: unknown, matches: (text: string) => boolean): boolean {
	if (typeof raw === 'string') return matches(raw);
	return Object.values(raw ?? {}).some((inner) => containsText(inner, matches));
}

/**
 * @param raw what the workflow holds, in which an expression begins with "="
 * @returns whether a text that is no expression has a variable between double braces, such as
 *   "Dear {{ $json.name }}", but not "Dear {{ name }} for $5"
 */
function hasVariableInBraces(raw: string): boolean {
	const closed = raw.startsWith('=') ? [] : raw.split('}}').slice(0, -1);
	return closed.some((part) => part.includes('{{') && part.includes('$', part.indexOf('{{')));
}

/**
 * @returns whether an expression has a variable beside its double braces, such as "=$json.a + $json.b", or a
 *   text has one in single braces. Without any, "In n8n, $json.name is the name" is meant as it stands
 */
function hasBareVariable(raw: string): boolean {
	if (!raw.startsWith('=')) return BEHIND_BRACE.test(raw);
	return raw.split('}}').some((part) => VARIABLE.test(part.split('{{')[0]!));
}

/**
 * @returns whether a text is an expression in all but its form: without double braces, whether it begins
 *   with "=" or not, or without "="
 */
function isReference(raw: unknown): boolean {
	if (typeof raw !== 'string' || raw.length > MAX_LENGTH) return false;
	const text = raw.replace(/^=/, '').trim();
	if (REFERENCE.test(text) || FROM_AI.test(text)) return true;
	return !raw.startsWith('=') && BRACED.test(text);
}
