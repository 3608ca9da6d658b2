import type { IExecutePaginationFunctions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { createStorageError } from '../../errors/connectionError';

import { toStream } from './body';
import { getExtensionForType, getTypeForExtension } from './mediaTypes';
import { getHeader, getMediaType, type HttpResponse } from './response';

/** Types that say nothing about the file; its name decides then. */
const GENERIC_TYPE = 'application/octet-stream';
const GENERIC_TYPES = new Set(['', GENERIC_TYPE, 'binary/octet-stream']);
/** File systems allow 255 bytes, and an extension may follow. */
const MAX_NAME_BYTES = 200;

/** What a file may be named after if the headers do not name it. */
export interface FileNameHints {
	/** The record's name, with or without an extension. */
	name?: string;
	/** With or without a leading dot. */
	extension?: string;
	/** URL the file came from. */
	link?: string;
}

/**
 * Streams a file to n8n's binary storage; it is never in memory as a whole.
 *
 * @param bytes the whole file, if it was read already
 * @param property name of the item's field for the file
 * @returns an item with the file and a short description of it
 * @throws the body's own error if it is cut short, RequestError if the file cannot be stored
 */
export async function toFileItem(
	context: IExecutePaginationFunctions | IPollFunctions,
	response: HttpResponse,
	bytes: Buffer | undefined,
	property: string,
	hints: FileNameHints,
): Promise<INodeExecutionData> {
	const type = getMediaType(response);
	const fileName = chooseFileName(response, hints);
	const mimeType = GENERIC_TYPES.has(type)
		? (getTypeForExtension(getExtension(fileName)) ?? GENERIC_TYPE)
		: type;
	let bodyError: Error | undefined;
	const content = bytes ?? toStream(response, (error) => (bodyError = error));
	const file = await context.helpers
		.prepareBinaryData(content as Buffer, fileName, mimeType)
		.catch((error: unknown) => {
			throw bodyError ?? createStorageError(error);
		});
	return {
		json: { fileName, mimeType: file.mimeType, fileSize: file.fileSize ?? '' },
		binary: { [property]: file },
	};
}

/**
 * Chooses the file's name: the one in `content-disposition`, else the record's, else the last
 * part of the link; with an extension from the headers, the record or the link, in that order.
 * A name from outside may try to leave the folder or to break a shell: only a plain name remains.
 */
function chooseFileName(response: HttpResponse, { name, extension, link }: FileNameHints): string {
	const headerName = parseContentDisposition(getHeader(response, 'content-disposition'));
	const linkName = link === undefined ? undefined : getLastSegment(link);
	const given = sanitizeFileName(headerName?.replace(/^.*[\\/]/, '') ?? '');
	const base = given || sanitizeFileName(name ?? '') || sanitizeFileName(linkName ?? '') || 'file';
	if (given !== '' && getExtension(base) !== '') return base;

	const wanted =
		getExtensionForType(getMediaType(response)) ??
		(getExtension(`.${extension?.replace(/^\./, '')}`) || getExtension(linkName ?? ''));
	const alreadyThere = base.toLowerCase().endsWith(`.${wanted.toLowerCase()}`);
	return wanted === '' || alreadyThere ? base : `${base}.${wanted}`;
}

/** @returns the name in a Content-Disposition header; `filename*` takes precedence (RFC 6266, section 4.3) */
function parseContentDisposition(disposition: string | undefined): string | undefined {
	const encoded = /filename\*\s*=\s*[\w-]+'[^']*'([^;\s]+)/i.exec(disposition ?? '')?.[1];
	const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition ?? '');
	return encoded === undefined
		? (plain?.[1]?.replaceAll('\\"', '') ?? plain?.[2])
		: tryDecodeUriComponent(encoded);
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
	// The last character may be cut in two.
	const short = Buffer.from(plain)
		.subarray(0, MAX_NAME_BYTES)
		.toString()
		.replace(/(?<!\uFFFD)\uFFFD+$/, '');
	return short.replace(/(?<![.\s])[.\s]+$/, '');
}
