import type { IExecutePaginationFunctions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { readChunks, toStream, type FileContent } from '../client/response/body';
import { getHeader, getMediaType, tryDecode, type HttpResponse } from '../client/response/response';
import { createStorageError } from '../errors/connectionError';
import { UserError } from '../errors/userError';
import { removeFullStop } from '../errors/values';

import {
	detectType,
	getExtension,
	getExtensionForType,
	getMediaKind,
	isGenericType,
} from './mediaTypes';

/** File systems allow 255 bytes: three for each of these characters, and an extension. */
const MAX_NAME_LENGTH = 80;

export interface FileHints {
	name?: string;
	/** With or without a leading dot. */
	extension?: string;
	link?: string;
}

/**
 * Streams a file to n8n's binary storage; it is never in memory as a whole.
 *
 * @param content the file, if it is not to be read from the response
 * @param property name of the item's field for the file
 * @returns an item with the file and a short description of it
 * @throws the body's own error if it is cut short, UserError if the file cannot be stored
 */
export async function toFileItem(
	context: IExecutePaginationFunctions | IPollFunctions,
	response: HttpResponse,
	content: FileContent = readChunks(response, true),
	property: string,
	hints: FileHints = {},
): Promise<INodeExecutionData> {
	const [start, whole] = await readStart(content);
	const type = detectType(start, getMediaType(response));
	const fileName = chooseFileName(response, type, hints);
	// Without a type, n8n takes it from the extension, but text for one that it does not know.
	const isNamed = isGenericType(type) && getMediaKind(getExtension(fileName)) !== undefined;
	const mimeType = isNamed ? undefined : type || 'application/octet-stream';
	const stored = Buffer.isBuffer(whole) ? whole : toStream(response, whole);
	const file = await context.helpers
		.prepareBinaryData(stored as Buffer, fileName, mimeType)
		.catch((error: unknown) => {
			// The body's own errors come through n8n's storage as they are.
			throw error instanceof UserError ? error : createStorageError(error);
		})
		.finally(() => {
			// What cannot be stored is not read to its end.
			if (!Buffer.isBuffer(content)) void content.return();
		});
	return {
		json: { fileName, mimeType: file.mimeType, fileSize: file.fileSize ?? '' },
		binary: { [property]: file },
	};
}

async function readStart(content: FileContent): Promise<[Uint8Array, FileContent]> {
	if (Buffer.isBuffer(content)) return [content, content];
	const { value: start = new Uint8Array() } = await content.next();
	const readAll = async function* () {
		yield start;
		yield* content;
	};
	return [start, readAll()];
}

/**
 * Names a file as `content-disposition` does, else after its record, else after its link. An extension
 * that contradicts the type is replaced, and a missing one added.
 *
 * @param type the media type, by the first bytes if they say it
 */
function chooseFileName(
	response: HttpResponse,
	type: string,
	{ name = '', extension = '', link }: FileHints,
): string {
	const linkName = link === undefined ? '' : getLastSegment(link);
	const given = parseContentDisposition(response).replace(/^.*[\\/]/, '');
	const base = [given, name, linkName].map(sanitizeFileName).find(Boolean) ?? 'file';
	const present = getExtension(base);
	const kind = getMediaKind(present);
	const usual = getExtensionForType(type);
	const isSameKind = isGenericType(type) || kind === getMediaKind(type, usual);
	// Of two kinds of audio, the first bytes tell which it is.
	const isStated = type === getMediaType(response);
	if (kind !== undefined && (present === usual || (isStated && isSameKind))) return base;
	const wanted =
		usual || getExtension(`.${extension.replace(/^\./, '')}`) || getExtension(linkName);
	if (wanted === '' || wanted === present) return base;
	return `${kind === undefined ? base : base.slice(0, -present.length - 1)}.${wanted}`;
}

/** @returns the name in a Content-Disposition header; `filename*` takes precedence (RFC 6266, section 4.3) */
function parseContentDisposition(response: HttpResponse): string {
	const header = getHeader(response, 'content-disposition') ?? '';
	// n8n's HTTP layer reads headers byte by byte.
	const disposition = tryDecode(Buffer.from(header, 'latin1')) ?? header;
	const encoded = /filename\*\s*=\s*[\w-]+'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
	const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition);
	// Some hosts encode the plain name as well.
	return tryDecodeUriComponent(encoded ?? plain?.[1]?.replaceAll('\\"', '') ?? plain?.[2] ?? '');
}

/** @returns the last part of a URL's path, decoded */
export function getLastSegment(link: string): string {
	return tryDecodeUriComponent(new URL(link).pathname.replace(/^.*\//, ''));
}

function tryDecodeUriComponent(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** A name from outside may try to leave the folder or to break a shell: only a plain name remains. */
function sanitizeFileName(name: string): string {
	const plain = name
		.replace(/[\\/]/g, '-')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"<>:|?*$`;&'!(){}]/gu, '')
		.replace(/^[-.\s]+/, '');
	const [extension = ''] = /\.[a-z0-9]{1,8}$/i.exec(plain) ?? [];
	const start = plain.slice(0, plain.length - extension.length).slice(0, MAX_NAME_LENGTH);
	// The last character may be cut in two.
	return removeFullStop(start.replace(/[\ud800-\udbff]$/, '') + extension);
}
