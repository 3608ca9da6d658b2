import { isObject } from '../client/response/json';
import type { RequestContext } from '../client/send';

import type { Field, FindId } from './field';

/** A value of a field or of an entry of a collection, as n8n returned it. */
export interface Given {
	field: Field;
	value: unknown;
	/** Where n8n finds it, such as `options.dryRun`. */
	path: string;
	findId?: FindId;
}

type Author = 'agent' | 'expression' | 'user';

/** @returns who wrote a value. It is read only where it matters, because it may be as long as a script. */
export function readAuthor(context: RequestContext, path: string): Author {
	const raw = readRaw(context, path);
	const text = String(isObject(raw) ? raw.value : raw);
	if (!text.startsWith('=')) return 'user';
	return /\$fromai/i.test(text) ? 'agent' : 'expression';
}

/**
 * @returns what the workflow holds for a value, such as "={{ $json.text }}". For an entry of a collection
 *   that is an expression as a whole, it is that expression
 */
export function readRaw(context: RequestContext, path: string): unknown {
	const [name = '', entry] = path.split('.');
	const raw: unknown = context.getNodeParameter(name, null, { rawExpressions: true });
	return entry !== undefined && isObject(raw) ? raw[entry] : raw;
}
