import type { IExecutePaginationFunctions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { toStream } from './body';
import { getExtensionForType, getTypeForExtension } from './mediaTypes';
import { getHeader, getMediaType, type HttpResponse } from './response';

/** Says nothing of what the file is; its name does, then. */
const GENERIC_TYPE = 'application/octet-stream';
const GENERIC_TYPES = new Set(['', GENERIC_TYPE, 'binary/octet-stream']);
/** In bytes; disks take 255, and an extension may follow. */
const MAX_NAME_BYTES = 200;

/** What may stand in for the headers where they do not name the file. */
export interface FileNameHints {
	/** The record's name, with or without an extension. */
	name?: string;
	/** With or without a leading dot. */
	extension?: string;
	/** The address the file came from. */
	link?: string;
}

/**
 * Streams a file to n8n's binary storage; at no time is it in memory as a whole.
 *
 * @param bytes the whole file, where it was read already
 * @param property the name of the item's field for the file
 * @returns an item with the file and a short description of it
 * @throws the stream's own error where it is cut short, n8n's where it cannot be stored
 */
export async function toFileItem(
	context: IExecutePaginationFunctions | IPollFunctions,
	answer: HttpResponse,
	bytes: Buffer | undefined,
	property: string,
	naming: FileNameHints,
): Promise<INodeExecutionData> {
	const type = getMediaType(answer);
	const fileName = chooseFileName(answer, naming);
	const file = await context.helpers.prepareBinaryData(
		(bytes ?? toStream(answer.body, answer.bodyTimeoutMs)) as Buffer,
		fileName,
		GENERIC_TYPES.has(type) ? (getTypeForExtension(getExtension(fileName)) ?? GENERIC_TYPE) : type,
	);
	return {
		json: { fileName, mimeType: file.mimeType, fileSize: file.fileSize ?? '' },
		binary: { [property]: file },
	};
}

/**
 * The file's name: the one the service gives in `content-disposition`, else the record's, else
 * the last part of the link; with an extension from the headers, the record or the link, in that
 * order. What comes from outside may be meant to leave the folder or to break a shell: only a
 * plain name is left of it.
 */
function chooseFileName(answer: HttpResponse, { name, extension, link }: FileNameHints): string {
	const disposed = parseContentDisposition(getHeader(answer, 'content-disposition'));
	const linked = link === undefined ? undefined : getLastSegment(link);
	const given = sanitizeFileName(disposed?.replace(/^.*[\\/]/, '') ?? '');
	const base = given || sanitizeFileName(name ?? '') || sanitizeFileName(linked ?? '') || 'file';
	if (given !== '' && getExtension(base) !== '') return base;

	const wanted =
		getExtensionForType(getMediaType(answer)) ??
		(getExtension(`.${extension?.replace(/^\./, '')}`) || getExtension(linked ?? ''));
	const alreadyThere = base.toLowerCase().endsWith(`.${wanted.toLowerCase()}`);
	return wanted === '' || alreadyThere ? base : `${base}.${wanted}`;
}

/** @returns the name in a Content-Disposition header; `filename*` wins (RFC 6266, section 4.3) */
function parseContentDisposition(disposition: string | undefined): string | undefined {
	const encoded = /filename\*\s*=\s*[\w-]+'[^']*'([^;\s]+)/i.exec(disposition ?? '')?.[1];
	const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition ?? '');
	return encoded === undefined ? (plain?.[1] ?? plain?.[2]) : tryDecodeUriComponent(encoded);
}

function getLastSegment(link: string): string {
	return tryDecodeUriComponent(new URL(link).pathname.replace(/^.*\//, ''));
}

function tryDecodeUriComponent(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function getExtension(name: string): string {
	return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1] ?? '';
}

function sanitizeFileName(name: string): string {
	const plain = name
		.replace(/[\\/]/g, '-')
		.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}"<>:|?*]/gu, '')
		.replace(/^[.\s]+/, '');
	// A character may be cut in two at the end.
	const short = Buffer.from(plain)
		.subarray(0, MAX_NAME_BYTES)
		.toString()
		.replace(/\uFFFD+$/, '');
	return short.replace(/[.\s]+$/, '');
}
