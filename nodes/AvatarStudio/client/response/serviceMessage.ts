import { removeFullStop, shorten } from '../../errors/formatText';
import type { ErrorDetails } from '../../errors/userError';

import { isContainer, isObject, simplifyKey, tryParseJson } from './json';
import { readMarkup } from './markup';

type Failure = Pick<ErrorDetails, 'serviceMessage' | 'responseBody'>;
type Entry = [key: string, value: unknown];

/** How the keys end under which APIs put their words, or a list of errors (see `simplifyKey`). */
const MESSAGE_KEY =
	/(message|msg|detail|description|reason|error|fault|exception|violation|issue|failure|invalidparam)s?$|(title|faultstring|modelstate)$/;
/** The keys of the field that an error is about. */
const FIELD_KEY =
	/^(field|fieldname|property|propertyname|propertypath|instancepath|path|param|parameter|loc)$/;
/** The keys of what was sent, of what is no sentence, and of what only helps the service's developers. */
const UNTOLD_KEY =
	/^(request|input|context|target|received|date|time|timestamp|stack|status)$|(values?|trace|code|id|type)$/;
/** What says no more than the status of the response does. */
const REASON_PHRASE =
	/^(bad request|payment required|not found|method not allowed|unprocessable (entity|content)|too many requests|internal server error|bad gateway|service unavailable|gateway time-?out)$/i;
/** A body without a single word. */
const NOTHING = /^(null|[\s[\]{}"]*)$/;
const MAX_MESSAGE_LENGTH = 500;

/**
 * Finds the service's words in the body of a failure, whose shape is not documented. Where none are
 * found, its whole text is shown: no word of the service is lost.
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
	return { serviceMessage: toLine(findWords(value) || text), responseBody: value };
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

/**
 * Of an object, the words are what its message keys say, with the field that it is about in front:
 * "script: Too long" for `{ error: "invalid", detail: "Too long", field: "script" }`. The sentences of
 * its other keys follow, because a message may be no more than a headline. If the message keys say less
 * than a sentence, and others say one, the words are what all its keys say.
 */
function findWords(value: unknown): string {
	if (typeof value === 'string') return value;
	if (Array.isArray(value)) return value.map(findWords).filter(Boolean).join('; ');
	if (!isObject(value)) return '';
	const entries = Object.entries(value);
	const messages = entries.filter(([key]) => MESSAGE_KEY.test(simplifyKey(key)));
	const messagesSuffice = messages.some(hasSentence) || !entries.some(hasSentence);
	if (messages.length === 0 || !messagesSuffice) {
		return dropCodes(entries).map(labelWords).filter(Boolean).join('; ');
	}
	const texts = dropCodes(messages).map(([, text]) => removeFullStop(findWords(text)));
	const others = entries.filter((entry) => !messages.includes(entry));
	const further = findFurtherSentences(others, texts);
	const words = [...new Set([...texts, further.join('; ')])].filter(Boolean).join(': ');
	const field = entries.find(isField)?.[1];
	return words && [formatPath(field), words].filter(Boolean).join(': ');
}

/** @param texts what was found already, which is not repeated under another key */
function findFurtherSentences(entries: Entry[], texts: string[]): string[] {
	const isNews = ([key, value]: Entry) => {
		const isKnown = typeof value === 'string' && texts.includes(removeFullStop(value));
		return hasSentence([key, value]) && !isKnown && !UNTOLD_KEY.test(simplifyKey(key));
	};
	return entries
		.filter(isNews)
		.map((entry) => removeFullStop(labelWords(entry)))
		.filter((text) => !texts.includes(text));
}

/** Spring's `path` is the route of the request, not a field. */
function isField([key, value]: Entry): boolean {
	const isRoute = typeof value === 'string' && key === 'path' && value.startsWith('/');
	return FIELD_KEY.test(simplifyKey(key)) && !isRoute;
}

/** Beside a sentence, a text such as `not_found` or "Bad Request" says nothing. */
function dropCodes(entries: Entry[]): Entry[] {
	const isCode = ([, value]: Entry) => typeof value === 'string' && !isSentence(value);
	return entries.some(hasSentence) ? entries.filter((entry) => !isCode(entry)) : entries;
}

/** @returns a text after the name of its field; what an object says names its fields itself */
function labelWords([key, value]: Entry): string {
	const words = findWords(value);
	return words === '' || isObject(value) ? words : `${key}: ${words}`;
}

/** @returns a path such as `body.script` of a list of names and indices, or of one name */
function formatPath(path: unknown): string {
	const isName = (part: unknown) => typeof part === 'string' || typeof part === 'number';
	return [path].flat().filter(isName).join('.');
}

function hasSentence([, value]: Entry): boolean {
	if (typeof value === 'string') return isSentence(value);
	return isContainer(value) && Object.entries(value).some(hasSentence);
}

/** A text of several words, or in a script that may have no blanks between them. */
function isSentence(text: string): boolean {
	const trimmed = text.trim();
	const hasBlank = /\s/.test(trimmed);
	const hasOtherScript = /[^\x21-\x7e\s]/.test(trimmed);
	return (hasBlank || hasOtherScript) && !REASON_PHRASE.test(trimmed);
}
