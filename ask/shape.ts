import { isObject } from '../nodes/AvatarStudio/client/response/json';

import type { Answer } from './service';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T|$)/;
const FIELD_NAME = /^[a-z_$][\w$-]{0,39}$/i;
const MEDIA_TYPE = /^[\w.+-]+\/[\w.+*-]+/;
const MAX_DEPTH = 6;

/** @returns what a value looks like, and nothing of the value itself: `{ id: UUID, name: text }` */
export function describeShape(value: unknown, depth = 0): string {
	if (value === null) return 'null';
	if (typeof value === 'string') return describeText(value);
	if (typeof value !== 'object') return typeof value;
	if (depth === MAX_DEPTH) return '…';
	if (!Array.isArray(value)) return describeFields([value], depth + 1);
	return value.length === 0 ? '[]' : `[ ${describeValues(value, depth + 1)} ]`;
}

/** @returns the content type of a response and what its body looks like */
export function describeBody({ headers, body }: Answer): string {
	const [type = ''] = MEDIA_TYPE.exec(headers.get('content-type') ?? '') ?? [];
	const isFile = typeof body === 'string' && !/^(|text\/.*|.*json)$/.test(type);
	const shape = body === '' ? 'empty body' : isFile ? 'file' : describeShape(body);
	return `${type} ${type === 'text/html' ? 'web page' : shape}`.trim();
}

/** @returns the name of a field, unless it may be a name or an ID that the account uses as a key */
export function maskFieldName(key: string): string {
	const isName = FIELD_NAME.test(key) && !/\d{4}/.test(key) && !UUID.test(key);
	return isName ? key : '[masked]';
}

function describeText(text: string): string {
	if (UUID.test(text)) return 'UUID';
	if (/^https?:\/\/\S+$/.test(text.trim())) return 'link';
	if (ISO_DATE.test(text)) return 'date';
	return text === '' ? 'empty text' : 'text';
}

function describeValues(values: unknown[], depth: number): string {
	const records = values.filter(isObject);
	const others = values.filter((value) => !isObject(value));
	const shapes = new Set(others.map((value) => describeShape(value, depth)));
	if (records.length > 0) shapes.add(describeFields(records, depth));
	return [...shapes].join(' | ');
}

/** The fields of one or more records; a question mark follows the name of one that some lack. */
function describeFields(records: object[], depth: number): string {
	const fields = new Map<string, unknown[]>();
	for (const [key, value] of records.flatMap((record) => Object.entries(record))) {
		const name = maskFieldName(key);
		fields
			.set(name, fields.get(name) ?? [])
			.get(name)!
			.push(value);
	}
	const described = [...fields].map(
		([name, values]) =>
			`${name}${values.length < records.length ? '?' : ''}: ${describeValues(values, depth)}`,
	);
	return described.length === 0 ? '{}' : `{ ${described.join(', ')} }`;
}
