import type { IDataObject } from 'n8n-workflow';

import { detectSyntax } from '../client/response/syntax';

import { getLastSegment } from './fileItem';
import { findLink, toLink } from './link';
import {
	getExtension,
	detectFormat,
	getMediaKind,
	type FileFormat,
	mayHoldAudio,
} from './mediaTypes';
import type { FileKind, Item } from './nodeRun';

/** A text of a response, and the path of its field, such as `result.url`. */
interface Text {
	field: string;
	text: string;
}

/** A link, and what its extension and its field say that it leads to. */
interface Link {
	field: string;
	/** Encoded as it is requested. */
	url: string;
	kind?: string;
	/** Whether it is a video whose format may hold only audio. */
	isAudioContainer: boolean;
}

/** An audio or video file in base64, of which only the first bytes have been decoded. */
export interface EncodedFile extends Text {
	/** Where the base64 begins in the text, behind what a data URL begins with. */
	start: number;
	format: FileFormat;
}

/** What an item of a response contains that may be the file of what was created. */
export interface FoundFiles {
	/** All links: if the file is not found, the message offers their fields as Link Field. */
	links: Link[];
	/** The URLs that may lead to the file, each once. */
	urls: string[];
	/** The URLs of the same file with a watermark, which count only if there is one without. */
	watermarkedUrls: string[];
	encoded: EncodedFile[];
}

/** Nobody enters a longer one as Link Field, and thousands of long ones would fill the memory. */
const MAX_FIELD_LENGTH = 500;
/** Further links are not looked at: to parse 100,000 takes a second in which nothing else runs. */
const MAX_LINKS = 1_000;
/** A shorter text may be anything, and no file with a second of speech is that short. */
const MIN_BASE64_LENGTH = 1_000;
const DATA_URL = /^data:([\w.+/-]{0,100})[^,]{0,100};base64,/i;
/** What is in no base64: neither of its two alphabets, nor the white space between its lines. */
const NOT_BASE64 = /[^\w+/=\s-]/;
/** So many characters of base64 hold the bytes by which a format is detected. */
const HEAD_LENGTH = 64;
/** The fields of previews and samples, and of what a video was made of: not the file that was created. */
const PREVIEW_FIELD = /preview|sample|background|voice[_-]?over|^custom/i;
/** The fields of files with a watermark, but not `urlWithoutWatermark` or `no_watermark_url`. */
const WATERMARK_FIELD = /(?<!(no|non|un|without)[_-]?)watermark/i;
/** The fields of links to pages and APIs, such as `docs_url`, `links.self` or `_links.status.href`. */
const PAGE_FIELD =
	/(^location|(avatar|callback|cancel|dashboard|docs|documentation|poll|polling|self|status|support|webhook)([._-]?(endpoint|href|link|uri|url))?)$/i;

/** Finds the links and the files in an item of a response; if the user chose a field, only its file. */
export function findFiles({ parameters, request, fileKind }: Item, json: IDataObject): FoundFiles {
	const { downloadFile: isWanted, linkField } = parameters;
	// A service may repeat a link that the request sent, such as that of a picture.
	const sent = new Set(findLinks(request.body).map(({ url }) => url));
	const links = findLinks(json, linkField).filter(({ url }) => !sent.has(url));
	const selected = selectLinks(links, fileKind, linkField);
	const clean = selected.filter(({ field }) => field === linkField || !WATERMARK_FIELD.test(field));
	const watermarked = selected.filter((link) => !clean.includes(link));
	const found: FoundFiles = {
		links,
		urls: listUrls(clean.length > 0 ? clean : watermarked),
		watermarkedUrls: clean.length > 0 ? listUrls(watermarked) : [],
		encoded: [],
	};
	if (isWanted) found.encoded = findEncodedFiles(json, linkField);
	return found;
}

function listUrls(links: Link[]): string[] {
	return [...new Set(links.map(({ url }) => url))];
}

/** @returns a copy of the JSON of an item without a text, wherever it stands */
export function omitText(json: IDataObject, text: string): IDataObject {
	const omit = (_key: string, value: unknown) => (value === text ? undefined : value);
	return JSON.parse(JSON.stringify(json, omit)) as IDataObject;
}

/** In the chosen field, any text that is a URL is a link. Elsewhere, a sentence that begins with a URL is none. */
function findLinks(value: unknown, chosenField?: unknown): Link[] {
	const links: Link[] = [];
	for (const { field, text } of listTexts(value)) {
		const isChosen = field === chosenField;
		if (links.length >= MAX_LINKS && !isChosen) continue;
		const url = isChosen ? toLink(text) : findLink(text);
		if (url !== undefined) links.push(describeLink(field, url));
	}
	return links;
}

function describeLink(field: string, url: string): Link {
	const name = getLastSegment(url);
	const isPreview = PREVIEW_FIELD.test(field);
	const isAudioContainer = mayHoldAudio(getExtension(name)) && !isPreview;
	return { field, url, kind: isPreview ? 'other' : getLinkKind(field, name), isAudioContainer };
}

/** @returns the kind by the extension or else, if the field says that it is no file, 'other' */
function getLinkKind(field: string, fileName: string): string | undefined {
	return getMediaKind(fileName) ?? (PAGE_FIELD.test(field) ? 'other' : undefined);
}

/**
 * @returns the links to the kind; or else, if audio is wanted, those to video formats that may hold only
 *   audio; or else those of which neither extension nor field says what they lead to
 */
function selectLinks(links: Link[], kind: FileKind | undefined, chosenField: unknown): Link[] {
	if (chosenField) return links.filter(({ field }) => field === chosenField);
	const ofKind = links.filter((link) => link.kind === kind);
	const containers = links.filter((link) => kind === 'audio' && link.isAudioContainer);
	const unknown = links.filter((link) => link.kind === undefined);
	return [ofKind, containers, unknown].find(({ length }) => length > 0) ?? [];
}

function findEncodedFiles(json: IDataObject, chosenField: unknown): EncodedFile[] {
	const texts = listTexts(json).filter(({ field }) =>
		chosenField ? field === chosenField : !PREVIEW_FIELD.test(field),
	);
	return texts.flatMap((text) => toEncodedFile(text) ?? []);
}

function toEncodedFile({ field, text }: Text): EncodedFile | undefined {
	const [prefix = '', stated = ''] = DATA_URL.exec(text) ?? [];
	const isShort = prefix === '' && text.length <= MIN_BASE64_LENGTH;
	if (isShort) return undefined;
	const start = prefix.length;
	const head = Buffer.from(text.slice(start, start + HEAD_LENGTH), 'base64');
	const format = detectFormat(head, stated.toLowerCase());
	const kind = getMediaKind(format.type) ?? getMediaKind(format.extension);
	const isText = detectSyntax(head) !== undefined;
	const isMedia = !isText && (kind === 'audio' || kind === 'video');
	return isMedia && !NOT_BASE64.test(text.slice(start))
		? { field, text, start, format }
		: undefined;
}

function listTexts(value: unknown, field = ''): Text[] {
	if (typeof value === 'string') return [{ field, text: value }];
	const isTooDeep = field.length > MAX_FIELD_LENGTH;
	if (typeof value !== 'object' || value === null || isTooDeep) return [];
	return Object.entries(value).flatMap(([key, entry]) =>
		listTexts(entry, field === '' ? key : `${field}.${key}`),
	);
}
