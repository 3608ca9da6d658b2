import type { IBinaryKeyData } from 'n8n-workflow';

import {
	limitLength,
	peek,
	readChunks,
	toStream,
	type Chunks,
	type HttpResponse,
} from '../client/response/body';
import {
	getContentKind,
	getHeader,
	getMediaType,
	isMediaType,
	readFailure,
} from '../client/response/response';
import { detectSyntax } from '../client/response/syntax';
import { getFileStatusRule } from '../errors/fileStatuses';
import { shorten } from '../errors/formatText';
import { RequestError, UserError } from '../errors/userError';

import { getLinkName, toFileItem } from './fileItem';
import type { FileName } from './fileName';
import { detectFormat, getMediaKind } from './mediaTypes';
import type { Item } from './nodeRun';

/** The timeout of a large file, or of a creation that responds once it is rendered, if the user sets none. */
export const LONG_TIMEOUT_MS = 300_000;
/** How long the host of a link has to show whether the file is there. */
const PROBE_TIMEOUT_MS = 10_000;
const BLOCKED_LINK = ['blockedByN8n', 'privateHost'];

/**
 * Streams the file behind a link to n8n's binary storage, without sending the API key.
 *
 * @param item its request says how long the download takes and waits at most
 * @param names of the file, in order of preference: the one in Content-Disposition comes before them,
 *   and the one in the link after them
 * @throws RequestError if there is no file behind the link, perhaps not yet; UserError if the link leads
 *   to a private host, or the file cannot be stored or was sent compressed
 */
export async function downloadFile(
	item: Item,
	url: string,
	names: FileName[] = [],
): Promise<IBinaryKeyData> {
	const allNames = [...names, getLinkName(url)];
	return await requestFile(item, url, async (response) => {
		// An item that creates nothing has one file, whose link may be signed anew each time.
		const fileKey = item.creationState ? url : 'the file';
		return await storeDownload(item, response, allNames, fileKey);
	});
}

/**
 * Throws as `downloadFile` does unless there is a file behind a link, of which only the beginning is read.
 * The link is tried once, and not for long, because its host may not respond at all, and is tried again.
 */
export async function assertFileIsThere(item: Item, url: string): Promise<void> {
	const once = { maxTimeout: PROBE_TIMEOUT_MS, maxWaitMs: 0, isTriedOnce: true };
	const probe = { ...item, request: { ...item.request, ...once } };
	await requestFile(probe, url, async (response) => {
		const content = await openFile(item, response, [getLinkName(url)]);
		const { done } = await content.next();
		await content.return();
		if (done) throw createEmptyError(response);
	});
}

/** @returns whether n8n may not request a link, so that nobody can say what it leads to */
export function isBlockedLink(error: unknown): boolean {
	return error instanceof UserError && BLOCKED_LINK.includes(error.details.code);
}

async function requestFile<T>(
	{ client, request }: Item,
	url: string,
	read: (response: HttpResponse) => Promise<T>,
): Promise<T> {
	const download = {
		method: 'GET' as const,
		url,
		isDownload: true,
		// A compressed file that is cut short looks complete, and a small one may unpack to a full disk.
		headers: { accept: '*/*', 'accept-encoding': 'identity' },
		defaultTimeout: request.defaultTimeout ?? LONG_TIMEOUT_MS,
		maxWaitMs: request.maxWaitMs,
		maxTimeout: request.maxTimeout,
		isTriedOnce: request.isTriedOnce,
	};
	return await client.request(download, read).catch((error: unknown) => {
		throw error instanceof RequestError ? describeAsDownload(error, url) : error;
	});
}

/** Rewords an error whose text is about the service, because a file comes from another host. */
function describeAsDownload(error: RequestError, url: string): RequestError {
	const { code, status } = error.details;
	// The status, which is shown behind the summary, says enough.
	const isErrorStatus = status !== undefined && status >= 300;
	const reason = isErrorStatus ? '' : `. ${error.summary}`;
	const { hint, isWithheld } = getFileStatusRule(status);
	return error.with({
		summary: `The file could not be downloaded from ${shorten(new URL(url).host)}${reason}`,
		hint: code === 'proxy' ? error.hint : hint,
		code: isWithheld ? 'noFile' : code,
	});
}

/** Stores the file that a response is. A host may compress it although the request asks not to. */
async function storeDownload(
	item: Item,
	response: HttpResponse,
	names: FileName[],
	fileKey: string,
) {
	const content = await openFile(item, response, names);
	// n8n unpacks what is compressed, to any length, and drops the header that says so. But the length is
	// still that of the compressed file (findings/unpacked-file-keeps-its-length), so a file that turns out
	// longer was compressed.
	const maxBytes = Number(getHeader(response, 'content-length') ?? Infinity);
	const limited = limitLength(content, maxBytes, createTooLongError);
	const { binary } = await toFileItem(item, response, names, limited, fileKey);
	if (binary) return binary;
	throw createEmptyError(response);
}

/** @returns the content of the file that a response is; throws RequestError if it is none */
async function openFile(item: Item, response: HttpResponse, names: FileName[]): Promise<Chunks> {
	if (response.status !== 200) throw await createNoFileError(response);
	const { start, content } = await peek(readChunks(response, { isFile: true }));
	if (isFile(item, response, start, names)) return content;
	const body = toStream(response, content);
	const isPage = getContentKind(response) === 'page' || detectSyntax(start) === 'markup';
	const error = await createNoFileError({ ...response, body }, isPage);
	response.body.destroy();
	throw error;
}

/**
 * Whether a response is a file: what begins like audio, an image or a video is one whatever its label, and what begins
 * like a page, XML or JSON is none if audio, an image or a video is wanted. A web page may be a sign-in
 * form, and a page or JSON may say that the file is not ready.
 */
function isFile(item: Item, response: HttpResponse, start: Uint8Array, names: FileName[]): boolean {
	const isDetected = detectFormat(start, '').type !== '';
	if (isDetected) return true;
	const kind = getContentKind(response);
	const type = getMediaType(response);
	// Behind the link of a video or a speech, text says that the file is not ready, unless the user chose the link.
	const isLinkGuessed = item.fileKind !== undefined && !item.parameters.linkField;
	const isStatusText = isLinkGuessed && type.startsWith('text/');
	const isMediaWanted = isLinkGuessed || isMediaType(type) || names.some(isNameOfMedia);
	const isData = isMediaWanted && detectSyntax(start) !== undefined && !isSvg(type, names);
	return kind !== 'page' && kind !== 'json' && !isStatusText && !isData;
}

/** @returns whether the extension is one of audio, an image or a video */
function isNameOfMedia({ text, extension }: FileName): boolean {
	const kind = getMediaKind(extension) ?? getMediaKind(text);
	return kind !== undefined && kind !== 'other';
}

/** @returns whether a file is said to be a picture that is XML */
function isSvg(type: string, names: FileName[]): boolean {
	const signs = [type, ...names.flatMap(({ text, extension = '' }) => [text, extension])];
	return signs.some((sign) => /svg/i.test(sign));
}

async function createNoFileError(response: HttpResponse, isPage = false): Promise<RequestError> {
	const { status } = response;
	const summary = `The response is ${isPage ? 'a web page instead of' : 'not'} a file`;
	const { serviceMessage } = await readFailure(response);
	return new RequestError(summary, '', { code: 'noFile', status, serviceMessage });
}

function createEmptyError({ status }: HttpResponse): RequestError {
	return new RequestError('The file is empty', '', { code: 'noFile', status });
}

function createTooLongError(): UserError {
	return new UserError(
		'The file is larger than announced, so it was sent compressed',
		'It could fill the disk. Have its host send it uncompressed.',
		{ code: 'noFile' },
	);
}
