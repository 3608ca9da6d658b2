import type { IExecuteSingleFunctions } from 'n8n-workflow';

import { isObject } from '../client/response/json';
import type { RequestContext } from '../client/send';
import type { ErrorText } from '../errors/userError';
import { shorten } from '../errors/values';

import { isEmpty } from './formats';
import { isTool } from './nodeRun';

/**
 * What JavaScript makes of a value that is missing, or of an object, in a text; it may be glued to a
 * word. In Arabic, Chinese, Finnish, Persian and Russian, `Intl` has another word for NaN.
 */
const FAILED_CALCULATION =
	/\$json[.[]|\[object \w+\]|Invalid (?:Date(?:Time)?|Duration|Interval)|NaN|Infinity|undefined|(?<![\p{L}:,[])null(?!\p{L})|∞|ليس\u00a0رقم|非數值|epäluku|ناعدد|не\u00a0число/gu;
/** What a spreadsheet writes into a cell without a value. */
const FAILED_FORMULA = /^\s*#(?:N\/A|NAME\?|(?:CALC|DIV\/0|ERROR|NULL|NUM|REF|SPILL|VALUE)!)\s*$/;
/** Each is looked for in the data, and whoever sends those could make up thousands. */
const MAX_SUSPECTS = 5;
/**
 * Data that an expression refers to, without the methods it calls: `$('Node').first().json["a b"]`. Of
 * all items it is the current one: to look at all for each would take the square of their number.
 */
const REFERENCE =
	/\$(?!\d)\w*(?:\s*\??\.[\p{L}\p{N}_$]+(?![\p{L}\p{N}_$(])|\s*\.(?:first|last|itemMatching)\(\d*\)|(?:\?\.)?[([](?:\d+|'[^']*'|"[^"]*")[\])])*/gu;

/** An empty text that the code itself names instead of another value is what the user wants. */
const NAMES_BLANK = /(?:\?\??|\|\||:|\$if(?:Empty)?\([^]*,)\s*(?:""|'')/;
/** Of a code that chooses among values, which is said outside of quotes, any may be missing. */
const CHOOSES =
	/\?\?|\?[^.?][^]*:|\|\||&&|\bif\b|\$if|Boolean|^\s*\[[^[\]]*\]\.(?:compact|filter|find)\(/;
const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[`}](?:[^`{}\\$]|\\.|\$(?!\{))*(?:`|\$\{)/g;

/** What refers to n8n's data outside of all braces, or in braces that n8n does not evaluate. */
const FORGOTTEN = /\{\{[^{}]*\$|\$(?:json[.[]|input\.|node[.[]|\(["'])/;

/** What is of one item: `$json`, `$('Node').item`, `$itemIndex`. */
const OF_ITEM = /(\$\((["'`]).*?\2\))\s*\??\.item\b|\$(?:json|binary|itemIndex|input\??\.item)\b/g;

/** What a model writes for a value that it lacks, but cannot leave out. */
export const WORD_FOR_NOTHING = /^\s*(null|none|n\/a|undefined)\s*$/i;

/** What an expression evaluates for a value. */
interface Evaluated {
	/** The codes between its braces that are the user's own. */
	codes: string[];
	/** Those that an AI agent fills in. */
	ofAgent: string[];
	/** The user's own text around them. */
	text: string;
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
	const value = isObject(raw) ? raw.value : raw;
	const declared = typeof value === 'string' ? value : '';
	const codes = declared.startsWith('=') ? listCodes(declared) : [];
	const text = codes.reduce((rest, code) => rest.replace(code, ''), declared);
	const isOfAgent = (code: string) => /\$fromai/i.test(code);
	return {
		codes: codes.filter((code) => !isOfAgent(code)),
		ofAgent: codes.filter(isOfAgent),
		text,
		isWhole: /^=\s*\{\{\}\}\s*$/.test(text),
	};
}

/**
 * Looks at each `{{ }}` of an expression by itself, and at the data in it: n8n writes nothing for one
 * without a value, JavaScript calculates with null as with 0, and writes "NaN", "null" or "undefined" for
 * what a text lacks. What looks like that is meant if the data that it refers to say so.
 *
 * @param given what the whole expression returned, if it is text or becomes text
 * @param allowsBlank whether one of them may be an empty text
 */
export function findFailure(
	context: RequestContext,
	{ codes, ofAgent, text, isWhole }: Evaluated,
	given: unknown,
	allowsBlank: boolean,
): ErrorText | undefined {
	// The "=" or the braces may have been forgotten; an expression in the data is only text.
	if (FORGOTTEN.test(text) || /\{\{\s*\$/.test(String(given))) {
		return [
			'contains an expression that n8n does not evaluate',
			'Switch the field to Expression, with {{ }} around it, or correct the data: n8n evaluates no expression in them.',
		];
	}
	const mayBeBlank = (code: string) => allowsBlank || NAMES_BLANK.test(code);
	const nothing = ofAgent.find((it) => {
		const filled = evaluate(context, it);
		return WORD_FOR_NOTHING.test(String(filled)) || (!mayBeBlank(it) && isEmpty(filled));
	});
	if (nothing !== undefined) return [`has no value for ${show(nothing)}`, 'Enter a value.'];
	for (const code of codes) {
		if (isTool(context.getNode()) && isOfOtherItem(context, code)) {
			return [
				`refers to one of several items: in a tool, ${show(code)} may be of the first one instead`,
				'Use $json and AI Agent 3 or later, or let the model fill in the field.',
			];
		}
		if (given === undefined) continue;
		const value = isWhole ? given : evaluate(context, code);
		const references = code.match(REFERENCE) ?? [];
		const chooses = CHOOSES.test(code.replace(QUOTED, ' '));
		const parts = chooses ? [] : references.filter((it) => /\W/.test(it.slice(1)));
		const isBlank = (it: unknown) =>
			mayBeBlank(code) ? (it ?? undefined) === undefined : isEmpty(it);
		const isMissing = (it: unknown) =>
			isBlank(it) || (typeof it === 'string' && FAILED_FORMULA.test(it));
		const isMissingPart = (it: string) => {
			const part = evaluate(context, it);
			if (isMissing(part)) return true;
			return typeof part === 'string' && isEmpty(part) && isCalculated(context, code, it, isWhole);
		};
		const missing = isMissing(value) ? code : parts.find(isMissingPart);
		if (missing !== undefined) {
			return [
				`has no value for ${show(missing)}`,
				'Check that this item has the value the expression refers to. If it may be missing, add ?? "" to the expression.',
			];
		}
		const written = write(value, isWhole);
		const suspects = [...new Set(written.match(FAILED_CALCULATION))].slice(0, MAX_SUSPECTS);
		const isMeant = (word: string) =>
			references.some((it) => readReference(context, it).includes(word));
		const failed = suspects.find((word) => !isMeant(word));
		if (failed === undefined) continue;
		return [
			`contains ${failed}, which ${show(code)} returned`,
			'Check that this item has the values the expression refers to, and use a field of an object. If the text is meant, compose it in an Edit Fields node before.',
		];
	}
	return undefined;
}

/**
 * Whether a code may be of another item than the one an AI agent works on. n8n gives a tool the first item
 * of each node, and of a loop's first round; AI Agent 2 as `$json` too (n8n-core, requests-response.js).
 */
function isOfOtherItem(context: RequestContext, code: string): boolean {
	const exists = (it: string) => Boolean(evaluate(context, it));
	return [...code.matchAll(OF_ITEM)].some(([, node]) => {
		if (!node) return exists('$input.all()[1]');
		// To ask for an output or a run throws if there is none, unless the data are pinned.
		return (
			exists(`[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].some((it) => ${node}.all(it)[1])`) ||
			(exists(`${node}.all(0, 1)`) && !exists(`${node}.all(0, 1e6)`))
		);
	});
}

function show(code: string): string {
	return `{{ ${shorten(code.trim())} }}`;
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

/**
 * Whether JavaScript calculates with a blank, as with 0: a number in its place then changes more than
 * that. A code whose text differs by itself, as with the time, does not tell.
 */
function isCalculated(context: RequestContext, code: string, blank: string, isWhole: boolean) {
	// A loop over a larger one would hold n8n.
	const withNumber = code.replace(REFERENCE, (it) => (it === blank ? '"777777"' : it));
	const [before, calculated, after] = [code, withNumber, code].map((it) =>
		write(evaluate(context, it), isWhole).replace(/7|[^\p{L}\p{N}]/gu, ''),
	);
	return before === after && before !== calculated;
}

function write(value: unknown, isWhole: boolean): string {
	return isWhole && typeof value === 'object' ? JSON.stringify(value, keepFailure) : String(value);
}

/** @returns a part of an object, as text if it is a number or undefined: JSON has no word for NaN */
function keepFailure(_name: string, part: unknown): unknown {
	return part === undefined || typeof part === 'number' ? String(part) : part;
}

/** @returns the text of what a reference leads to, with all that is in it */
function readReference(context: RequestContext, reference: string): string {
	const text = evaluate(context, `JSON.stringify(${reference}, (_, it) => it ?? '')`);
	return typeof text === 'string' ? text : '';
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
