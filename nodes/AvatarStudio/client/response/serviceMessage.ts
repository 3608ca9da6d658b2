import { removeFullStop, shorten } from '../../errors/formatText';
import type { ErrorDetails } from '../../errors/userError';

import { isObject, simplifyKey, tryParseJson } from './json';
import { readMarkup } from './markup';

type Failure = Pick<ErrorDetails, 'serviceMessage' | 'responseBody'>;

/** How the keys end under which APIs put their words (see `simplifyKey`), the most specific first. */
const MESSAGE_ENDINGS = [
	...['message', 'msg', 'detail', 'description', 'reason', 'faultstring'],
	...['error', 'fault', 'exception', 'title'],
];
/** Keys of several errors: a list of them, or an object with those of each field. */
const LIST_KEYS = [
	...['errors', 'violations', 'fieldviolations', 'issues', 'details', 'messages', 'failures'],
	...['modelstate', 'validationerrors', 'invalidparams'],
];
/** JSend puts the errors of each field here; others repeat what was sent, or explain a code. */
const DATA_KEY = 'data';
/** Keys of the field that an error is about. */
const FIELD_KEYS = [
	...['field', 'fieldname', 'property', 'propertyname', 'propertypath', 'instancepath'],
	...['path', 'param', 'parameter', 'loc'],
];
const KNOWN_KEYS = new Set([...LIST_KEYS, DATA_KEY, ...FIELD_KEYS]);
/** What says no more than the status of the response does. */
const REASON_PHRASE =
	/^(bad request|payment required|not found|method not allowed|unprocessable (entity|content)|too many requests|internal server error|bad gateway|service unavailable|gateway time-?out)$/i;
/** A body without a single word. */
const NOTHING = /^(null|[\s[\]{}"]*)$/;
const MAX_MESSAGE_LENGTH = 500;

/**
 * Finds the service's words in the body of a failure, whose shape is not documented. Where the JSON has
 * none under a known key, or only a code, its whole text is shown: no word of the service is lost.
 *
 * @param text the body, without the API key
 * @returns the body, and the words in one line of 500 characters at most without control characters
 */
export function describeFailure(text: string): Failure {
	const value = tryParseJson(text);
	if (value !== undefined) return describeValue(value, text);
	if (!isText(text)) return {};
	return { serviceMessage: toLine(readMarkup(text) || text), responseBody: text || undefined };
}

/** Describes a body that is parsed already, as `describeFailure` does. */
export function describeValue(value: unknown, text = JSON.stringify(value)): Failure {
	const words = findWords(value);
	const saysAll = words !== '' && (hasSentence(words) || !hasSentence(value));
	return { serviceMessage: toLine(saysAll ? words : text), responseBody: value };
}

/** Bytes that are no text decode to many of these characters; text in Latin-1 has a few. */
function isText(text: string): boolean {
	const broken = text.match(/\ufffd|(?!\s)\p{Cc}/gu)?.length ?? 0;
	return broken * 10 <= text.length;
}

function toLine(text: string): string | undefined {
	const line = text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
	return NOTHING.test(line) ? undefined : shorten(line, MAX_MESSAGE_LENGTH);
}

/** Every value is looked at once: twice at each depth would take exponential time. */
function findWords(value: unknown): string {
	if (typeof value === 'string') return value;
	if (Array.isArray(value)) return value.map(findWords).filter(Boolean).join('; ');
	if (!isObject(value)) return '';
	const entries = Object.entries(value).map(([key, inner]) => ({ key: simplifyKey(key), inner }));
	const select = (isWanted: (key: string) => boolean) =>
		entries.filter(({ key }) => isWanted(key)).map(({ inner }) => inner);

	const messages = MESSAGE_ENDINGS.flatMap((ending) => select((key) => key.endsWith(ending)))
		.map(findWords)
		.filter(Boolean);
	const message = messages.find(hasSentence) ?? messages[0] ?? '';
	const fields = FIELD_KEYS.flatMap((name) => select((key) => key === name)).map(formatPath);
	const field = fields.find(Boolean);
	if (field && message) return `${field}: ${message}`;

	const lists = LIST_KEYS.flatMap((name) => select((key) => key === name));
	const data = hasSentence(message) ? [] : select((key) => key === DATA_KEY).filter(hasSentence);
	const errors = [...lists, ...data].map(joinFieldErrors).find(Boolean) ?? '';
	const isRepeated = errors.includes(message);
	if (errors) return isRepeated ? errors : `${removeFullStop(message)}: ${errors}`;
	const isUnknown = (key: string) =>
		!KNOWN_KEYS.has(key) && !MESSAGE_ENDINGS.some((ending) => key.endsWith(ending));
	const others = select(isUnknown).filter(isObject);
	return message || (others.map(findWords).find(Boolean) ?? '');
}

function joinFieldErrors(errors: unknown): string {
	if (!isObject(errors)) return findWords(errors);
	const entries = Object.entries(errors).map(([field, error]) => [field, findWords(error)]);
	const found = entries.filter(([, words]) => words !== '');
	return found.map(([field, words]) => `${field}: ${words}`).join('; ');
}

/** @returns a path such as `body.script` of a list of names and indices, or of one name */
function formatPath(path: unknown): string {
	const isName = (part: unknown) => typeof part === 'string' || typeof part === 'number';
	return [path].flat().filter(isName).join('.');
}

/** @returns whether there is a text in a value that is neither a code, such as `not_found`, nor a status */
function hasSentence(value: unknown): boolean {
	if (typeof value === 'string') {
		const text = value.trim();
		return /[^\x21-\x7e]/.test(text) && !REASON_PHRASE.test(text);
	}
	return typeof value === 'object' && value !== null && Object.values(value).some(hasSentence);
}
