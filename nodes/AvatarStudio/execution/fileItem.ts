import type { INodeExecutionData } from 'n8n-workflow';

import { peek, toStream, type Chunks, type HttpResponse } from '../client/response/body';
import { getHeader, getMediaType, tryDecode } from '../client/response/response';
import { createStorageError } from '../errors/connectionError';
import { UserError } from '../errors/userError';

import { chooseFileName, getCreatedName, type FileName } from './fileName';
import {
	detectFormat,
	getExtension,
	getMediaKind,
	toAudioFormat,
	type FileFormat,
} from './mediaTypes';
import type { Item } from './nodeRun';

/**
 * Streams a file to n8n's binary storage.
 *
 * @param names of the file, in order of preference; the one in Content-Disposition comes before them
 * @param fileKey under which the item gets the same name again if it stores the file once more
 * @returns an item with the file and a short description of it, or with neither if it is empty
 * @throws RequestError if the file is cut short or late, UserError if it cannot be stored
 */
export async function toFileItem(
	item: Item,
	response: HttpResponse,
	names: FileName[],
	chunks: Chunks,
	fileKey?: string,
): Promise<INodeExecutionData> {
	const { start, content } = await peek(chunks);
	if (start.length === 0) return { json: {} };
	const format = detectFormat(start, getMediaType(response));
	const stream = toStream(response, content);
	const allNames = [parseContentDisposition(response), ...names];
	// What cannot be stored is not read to its end.
	return await storeFile(item, stream, allNames, format, fileKey).finally(
		() => void chunks.return(),
	);
}

/**
 * @param content a Buffer or a stream
 * @param names of the file, in order of preference; that of what the item created comes after them
 * @param fileKey under which the item gets the same name again if it stores the file once more
 * @returns an item with the file and a short description of it
 * @throws UserError if it cannot be stored; the error of a stream that fails
 */
export async function storeFile(
	item: Item,
	content: unknown,
	names: FileName[],
	detected: FileFormat,
	fileKey?: string,
): Promise<INodeExecutionData> {
	const { client, parameters, request, nameFile, fileKind } = item;
	const { binaryPropertyName = 'data' } = parameters;
	const { type, extension, sameStart } = fileKind === 'audio' ? toAudioFormat(detected) : detected;
	const allNames = [...names, getCreatedName(request.body)];
	const fileName = nameFile(chooseFileName(allNames, extension, sameStart), fileKey);
	const isTypeKnown = type !== '' && !sameStart?.test(getExtension(fileName));
	// Without a type, n8n derives it from the extension, and takes a file with an unknown one for text
	// (findings/file-without-a-type).
	const unstated = getMediaKind(fileName) ? undefined : 'application/octet-stream';
	const mimeType = isTypeKnown ? type : unstated;
	const stored = await client.context.helpers
		.prepareBinaryData(content as never, fileName, mimeType)
		.catch((error: unknown) => {
			// The errors of a response's body come through n8n's storage as they are.
			throw error instanceof UserError ? error : createStorageError(error);
		});
	return {
		json: { fileName, mimeType: stored.mimeType, fileSize: stored.fileSize ?? '' },
		binary: { [binaryPropertyName as string]: stored },
	};
}

/** @returns the name in a Content-Disposition header; `filename*` takes precedence (RFC 6266) */
function parseContentDisposition(response: HttpResponse): FileName {
	const header = getHeader(response, 'content-disposition') ?? '';
	// n8n's HTTP layer reads headers byte by byte (test/execution/files.test.ts).
	const disposition = tryDecode(Buffer.from(header, 'latin1')) ?? header;
	const encoded = /filename\*\s*=\s*[\w-]+'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
	const plain = /filename\s*=\s*("[^"]+|[^";]+)/i.exec(disposition)?.[1]?.replace('"', '');
	// Some hosts encode the plain name as well.
	const text = tryDecodeUriComponent(encoded ?? plain ?? '').replace(/^.*[\\/]/, '');
	return { text, isOfHost: true };
}

/** @returns the name that the link to a file gives it */
export function getLinkName(link: string): FileName {
	return { text: getLastSegment(link), isOfHost: true };
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
