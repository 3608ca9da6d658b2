import type { Answer } from './client';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T|$)/;
const FIELD_NAME = /^[a-z_$][\w$-]{0,39}$/i;
const MAX_DEPTH = 6;

/** @returns what a value looks like, and nothing of the value itself: `{ id: UUID, name: text }` */
export function describeShape(value: unknown, depth = 0): string {
	if (value === null) return 'null';
	if (typeof value === 'string') return describeText(value);
	if (typeof value !== 'object') return typeof value;
	if (depth === MAX_DEPTH) return '…';
	if (!Array.isArray(value)) return describeFields([value as Record<string, unknown>], depth + 1);
	return value.length === 0 ? '[]' : `[ ${describeValues(value, depth + 1)} ]`;
}

/** @returns what the body of a response looks like */
export function describeBody({ body, json, mediaType }: Answer): string {
	if (body.length === 0) return 'empty body';
	if (json !== undefined) return describeShape(json);
	if (mediaType === 'text/html') return 'web page';
	return mediaType.startsWith('text/') ? describeText(body.toString('utf8')) : 'file';
}

/** @returns the request, status, content type and shape of an answer, as evidence */
export function describeAnswer(answer: Answer, label = answer.label): string {
	const type = answer.mediaType === '' ? '' : ` ${answer.mediaType}`;
	return `${label} → ${answer.status}${type}: ${describeBody(answer)}`;
}

/** @returns the name of a field, unless it may be a name or an ID that the account uses as a key */
export function maskFieldName(key: string): string {
	const isName = FIELD_NAME.test(key) && !/\d{4}/.test(key) && !UUID.test(key);
	return isName ? key : '[masked]';
}

/** Whether IDs have the documented format. */
export function isUuid(value: unknown): boolean {
	return typeof value === 'string' && UUID.test(value);
}

function describeText(text: string): string {
	if (text === '') return 'empty text';
	if (UUID.test(text)) return 'UUID';
	if (/^https?:\/\/\S+$/.test(text.trim())) return 'link';
	return ISO_DATE.test(text) ? 'date' : 'text';
}

function describeValues(values: unknown[], depth: number): string {
	const isRecord = (value: unknown): value is Record<string, unknown> =>
		typeof value === 'object' && value !== null && !Array.isArray(value);
	const records = values.filter(isRecord);
	const others = values.filter((value) => !isRecord(value));
	const shapes = new Set(others.map((value) => describeShape(value, depth)));
	if (records.length > 0) shapes.add(describeFields(records, depth));
	return [...shapes].join(' | ');
}

/** The fields of one or more records; a question mark follows the name of one that some lack. */
function describeFields(records: Record<string, unknown>[], depth: number): string {
	const fields = new Map<string, unknown[]>();
	for (const [key, value] of records.flatMap((record) => Object.entries(record))) {
		const name = maskFieldName(key);
		fields.set(name, [...(fields.get(name) ?? []), value]);
	}
	const described = [...fields].map(([name, values]) => {
		const isOptional = values.length < records.length;
		return `${name}${isOptional ? '?' : ''}: ${describeValues(values, depth)}`;
	});
	return described.length === 0 ? '{}' : `{ ${described.join(', ')} }`;
}
