import type { INodeExecutionData } from 'n8n-workflow';

import { concat, toStream, type Chunks, type HttpResponse } from '../client/response/body';
import { getHeader, getMediaType, tryDecode } from '../client/response/response';
import { createStorageError } from '../errors/connectionError';
import { removeFullStop } from '../errors/formatText';
import { UserError } from '../errors/userError';

import { detectFormat, getExtension, getMediaKind, type FileFormat } from './mediaTypes';
import type { Item } from './nodeRun';

/** A file system allows 255 bytes: three for each of these characters, and the rest for an extension. */
const MAX_NAME_LENGTH = 80;

/**
 * Streams a file to n8n's binary storage.
 *
 * @param names of the file, in order of preference; the one in Content-Disposition comes before them
 * @returns an item with the file and a short description of it, or with neither if it is empty
 * @throws RequestError if the file is cut short or late, UserError if it cannot be stored
 */
export async function toFileItem(
	item: Item,
	response: HttpResponse,
	names: string[],
	chunks: Chunks,
): Promise<INodeExecutionData> {
	const { value: start } = await chunks.next();
	if (!start) return { json: {} };
	const format = detectFormat(start, getMediaType(response));
	const stream = toStream(response, concat([start], chunks));
	const allNames = [parseContentDisposition(response), ...names];
	// What cannot be stored is not read to its end.
	return await storeFile(item, stream, allNames, format).finally(() => void chunks.return());
}

/**
 * @param content a Buffer or a stream
 * @returns an item with the file and a short description of it
 * @throws UserError if it cannot be stored; the error of a stream that fails
 */
export async function storeFile(
	{ client, parameters }: Item,
	content: unknown,
	names: string[],
	{ type, extension }: FileFormat,
): Promise<INodeExecutionData> {
	const { binaryPropertyName = 'data' } = parameters;
	const fileName = chooseFileName(names, extension);
	// Without a type, n8n derives it from the extension, and takes a file with an unknown one for text
	// (findings/file-without-a-type).
	const mimeType = type || (getMediaKind(fileName) ? undefined : 'application/octet-stream');
	const file = await client.context.helpers
		.prepareBinaryData(content as never, fileName, mimeType)
		.catch((error: unknown) => {
			// The errors of a response's body come through n8n's storage as they are.
			throw error instanceof UserError ? error : createStorageError(error);
		});
	return {
		json: { fileName, mimeType: file.mimeType, fileSize: file.fileSize ?? '' },
		binary: { [binaryPropertyName as string]: file },
	};
}

/**
 * @param names in order of preference
 * @param extension of the media type, '' if unknown
 * @returns the first name. It keeps an extension that is known; otherwise that of the media type is added.
 *   If the type is unknown too, it keeps any extension it has, or else gets that of another name
 */
function chooseFileName(names: string[], extension: string): string {
	const base = names.map(sanitizeFileName).find(Boolean) ?? 'file';
	const present = getExtension(base);
	const wanted = [extension, ...names.map(getExtension)].find(Boolean);
	const isComplete = !wanted || present === wanted || getMediaKind(present) !== undefined;
	return isComplete ? base : `${base}.${wanted}`;
}

/** @returns the name in a Content-Disposition header; `filename*` takes precedence (RFC 6266) */
function parseContentDisposition(response: HttpResponse): string {
	const header = getHeader(response, 'content-disposition') ?? '';
	// n8n's HTTP layer reads headers byte by byte (test/execution/files.test.ts).
	const disposition = tryDecode(Buffer.from(header, 'latin1')) ?? header;
	const encoded = /filename\*\s*=\s*[\w-]+'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
	const plain = /filename\s*=\s*("[^"]+|[^";]+)/i.exec(disposition)?.[1]?.replace('"', '');
	// Some hosts encode the plain name as well.
	return tryDecodeUriComponent(encoded ?? plain ?? '').replace(/^.*[\\/]/, '');
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

/** Makes a plain name, because one from outside may try to leave the folder or to break a shell. */
function sanitizeFileName(name: string): string {
	const plain = name
		.slice(0, MAX_NAME_LENGTH)
		.replace(/[\\/]/g, '-')
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"<>:|?*$`;&'!(){}]/gu, '');
	return removeFullStop(plain.replace(/^[-.\s]+/, ''));
}
