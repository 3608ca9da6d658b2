import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { isObject } from '../client/response/json';
import type { RequestContext } from '../client/send';
import type { ErrorText } from '../errors/userError';
import { shorten } from '../errors/values';

import { isEmpty } from './formats';

/** What JavaScript makes of a value that is missing, or of an object, in a text; it may be glued to a word. */
const FAILED_CALCULATION =
	/\[object \w+\]|Invalid Date(?:Time)?|(?<!\p{L})(?:NaN|Infinity|undefined)|(?:NaN|Infinity|undefined)(?!\p{L})|∞/gu;
/** Each is looked for in the data, and whoever sends those could make up thousands. */
const MAX_SUSPECTS = 5;
/**
 * Data that an expression refers to, without the methods it calls: `$('Node').first().json["a b"]`. Of
 * all items it is the current one: to look at all for each would take the square of their number.
 */
const REFERENCE =
	/\$\w*(?:\s*\??\.[\p{L}\p{N}_$]+(?![\p{L}\p{N}_$(])|\s*\.(?:first|last|itemMatching)\(\d*\)|[([](?:\d+|'[^']*'|"[^"]*")[\])])*/gu;

/** An empty text that the code itself names instead of another value is what the user wants. */
const NAMES_BLANK = /(?:\?\??|\|\||:)\s*(?:""|'')|\$if(?:Empty)?\(/;

/** What an expression evaluates for a value. */
interface Evaluated {
	/** The codes between its braces, without those of an AI agent. */
	codes: string[];
	/** Whether the value is that of the code, without any text. */
	isWhole: boolean;
}

/**
 * Finds the expression of the user that a value comes from. An AI agent cannot leave a field out, so
 * what it leaves blank counts as left empty by hand.
 *
 * @param path name of the parameter, and of its entry if it is a collection
 */
export function findUserExpression(context: RequestContext, ...path: string[]): Evaluated {
	const raw: unknown = context.getNodeParameter(path.join('.'), null, { rawExpressions: true });
	const declared = isObject(raw) ? raw.value : raw;
	const isExpression = typeof declared === 'string' && declared.startsWith('=');
	const codes = isExpression ? listCodes(declared) : [];
	return {
		codes: codes.filter((code) => !/\$fromai/i.test(code)),
		isWhole: isExpression && codes.length === 1 && /^=\s*\{\{.*\}\}\s*$/s.test(declared),
	};
}

/**
 * Looks at each `{{ }}` of an expression by itself: n8n writes nothing for one without a value, and
 * JavaScript writes "NaN" or "undefined" for what a calculation lacks. What looks like that is meant
 * if the data that it refers to say so.
 *
 * @param given what the whole expression returned
 * @param allowsBlank whether one of them may be an empty text
 */
export function findFailure(
	context: RequestContext,
	{ codes, isWhole }: Evaluated,
	given: unknown,
	allowsBlank: boolean,
): ErrorText | undefined {
	for (const code of codes) {
		const value = isWhole ? given : evaluate(context, code);
		const shown = `{{ ${shorten(code.trim())} }}`;
		const mayBeBlank = allowsBlank || NAMES_BLANK.test(code);
		if ((value ?? undefined) === undefined || (!mayBeBlank && isEmpty(value))) {
			return [
				`has no value for ${shown}`,
				'Check that this item has the value the expression refers to. If it may be missing, add ?? "" to the expression.',
			];
		}
		const written =
			isWhole && typeof value === 'object' ? JSON.stringify(value, keepFailure) : String(value);
		const suspects = [...new Set(written.match(FAILED_CALCULATION))].slice(0, MAX_SUSPECTS);
		if (suspects.length === 0) continue;
		const sources = (code.match(REFERENCE) ?? []).map((it) => readText(context, it));
		const isMeant = (word: string) => sources.some((text) => includesWord(text, word));
		const failed = suspects.find((word) => !isMeant(word));
		if (failed === undefined) continue;
		return [
			`contains ${failed}, which ${shown} returned`,
			'Check that this item has the values the expression refers to, and use a field of an object. If the text is meant, compose it in an Edit Fields node before.',
		];
	}
	return undefined;
}

/** @returns the codes between braces, of which a backslash makes text, as n8n divides them (@n8n/tournament) */
function listCodes(expression: string): string[] {
	const codes: string[] = [];
	let code: string | undefined;
	for (const part of expression.split(/(?<!\\)(\{\{|\}\})/)) {
		if (code === undefined) code = part === '{{' ? '' : undefined;
		else if (part !== '}}') code += part;
		else {
			codes.push(code);
			code = undefined;
		}
	}
	return codes;
}

/** @returns a part of an object, as text if it is a number or undefined: JSON has no word for NaN */
function keepFailure(_name: string, part: unknown): unknown {
	return part === undefined || typeof part === 'number' ? String(part) : part;
}

/** Whether a text contains a word as a whole; a method may have changed the case. */
function includesWord(text: string, word: string): boolean {
	const pattern = word.replace(/[[\]]/g, '\\$&');
	return new RegExp(`(?<!\\p{L})${pattern}(?!\\p{L})`, 'iu').test(text);
}

/** @returns the text of what a reference leads to, with all that is in it, and its lines as words */
function readText(context: RequestContext, reference: string): string {
	const text = evaluate(context, `JSON.stringify(${reference})`);
	return typeof text === 'string' ? text.replace(/\\[bfnrt]/g, ' ') : '';
}

/** @returns the value of an expression, undefined if it has none: what refers to nothing may throw */
function evaluate(context: RequestContext, code: string): unknown {
	const index = 'getItemIndex' in context ? context.getItemIndex() : 0;
	try {
		// n8n's other contexts have the function as well (n8n-core, node-execution-context.js).
		return (context as IExecuteSingleFunctions).evaluateExpression(`{{${code}}}`, index);
	} catch {
		return undefined;
	}
}
