import type { IDataObject } from 'n8n-workflow';

import { getLastSegment } from './fileItem';
import { toLink } from './link';
import { detectFormat, getMediaKind, type Format } from './mediaTypes';

/** A text of a response, and the path of its field, such as `result.url`. */
interface Text {
	field: string;
	text: string;
}

/** A link in a response, and what its extension and its field say that it leads to. */
export interface Link {
	field: string;
	url: string;
	kind?: string;
}

/** An audio or video file that a response contains as base64. */
export interface EncodedFile extends Text {
	/** Where the base64 begins in the text, behind what a data URL begins with. */
	start: number;
	format: Format;
}

/** Nobody enters a longer one as Link Field, and thousands of long ones would fill the memory. */
const MAX_FIELD_LENGTH = 500;
/** A shorter text may be anything, and no file with a second of speech is that short. */
const MIN_BASE64_LENGTH = 1_000;
const DATA_URL = /^data:([\w.+/-]{0,100})[^,]{0,100};base64,/i;
/** Base64 in both alphabets, perhaps in lines. */
const NOT_BASE64 = /[^\w+/=\s-]/;
/** So many characters of base64 hold the bytes by which a format is detected. */
const HEAD_LENGTH = 64;
/** The fields of what shows a file, or a voice, but is no result. */
const PREVIEW_FIELD = /preview|sample/i;

/** @returns all links in a value of a response, encoded as they are requested */
export function findLinks(value: unknown): Link[] {
	return listTexts(value).flatMap(({ field, text }) => {
		const url = toLink(text);
		if (url === undefined) return [];
		const isPreview = PREVIEW_FIELD.test(field);
		return [{ field, url, kind: isPreview ? 'other' : getMediaKind(getLastSegment(url)) }];
	});
}

/**
 * Selects the links that may lead to the file: in the field that the user chose; otherwise those to the
 * kind asked for, or else those whose extension does not say what they lead to.
 *
 * @returns their URLs, each once
 */
export function selectLinks(links: Link[], kind: string, chosenField: unknown): string[] {
	const select = (isWanted: (link: Link) => boolean) => [
		...new Set(links.filter(isWanted).map(({ url }) => url)),
	];
	if (chosenField) return select(({ field }) => field === chosenField);
	const ofKind = select((link) => link.kind === kind);
	return ofKind.length > 0 ? ofKind : select((link) => link.kind === undefined);
}

/**
 * @param chosenField the field that the user chose: others do not count
 * @returns the files in a value of a response, of which only the first bytes have been decoded
 */
export function findEncodedFiles(value: unknown, chosenField: unknown): EncodedFile[] {
	return listTexts(value).flatMap(({ field, text }) => {
		const isWanted = chosenField ? field === chosenField : !PREVIEW_FIELD.test(field);
		const [prefix = '', stated = ''] = DATA_URL.exec(text) ?? [];
		const isLong = prefix !== '' || text.length > MIN_BASE64_LENGTH;
		if (!isWanted || !isLong) return [];
		const start = prefix.length;
		const head = text.slice(start, start + HEAD_LENGTH);
		const format = detectFormat(Buffer.from(head, 'base64'), stated.toLowerCase());
		const kind = getMediaKind(format.type) ?? getMediaKind(format.extension);
		const isMedia = kind === 'audio' || kind === 'video';
		const isFile = isMedia && !NOT_BASE64.test(head) && !NOT_BASE64.test(text.slice(start));
		return isFile ? [{ field, text, start, format }] : [];
	});
}

/** @returns a copy of the JSON of an item without a text that is long and therefore only there once */
export function omitText(json: IDataObject, text: string): IDataObject {
	const omit = (_key: string, value: unknown) => (value === text ? undefined : value);
	return JSON.parse(JSON.stringify(json, omit)) as IDataObject;
}

function listTexts(value: unknown, field = ''): Text[] {
	if (typeof value === 'string') return [{ field, text: value }];
	const isTooDeep = field.length > MAX_FIELD_LENGTH;
	if (typeof value !== 'object' || value === null || isTooDeep) return [];
	return Object.entries(value).flatMap(([key, entry]) =>
		listTexts(entry, field === '' ? key : `${field}.${key}`),
	);
}
