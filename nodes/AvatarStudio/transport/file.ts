import type { IExecutePaginationFunctions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { header, mediaType, type Answer } from './answer';
import { streamOf } from './body';
import { extensionOfType, typeOfExtension } from './mediaTypes';

/** Says nothing of what the file is; its name does, then. */
const BYTES = 'application/octet-stream';
const UNTOLD = new Set(['', BYTES, 'binary/octet-stream']);
/** In bytes; disks take 255, and an extension may follow. */
const LONGEST_NAME = 200;

/** What may stand in for the headers where they do not name the file. */
export interface Naming {
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
export async function fileItem(
	context: IExecutePaginationFunctions | IPollFunctions,
	answer: Answer,
	bytes: Buffer | undefined,
	property: string,
	naming: Naming,
): Promise<INodeExecutionData> {
	const type = mediaType(answer);
	const fileName = nameOf(answer, naming);
	const file = await context.helpers.prepareBinaryData(
		(bytes ?? streamOf(answer.body, answer.idleMs)) as Buffer,
		fileName,
		UNTOLD.has(type) ? (typeOfExtension(extensionOf(fileName)) ?? BYTES) : type,
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
function nameOf(answer: Answer, { name, extension, link }: Naming): string {
	const disposed = dispositionName(header(answer, 'content-disposition'));
	const linked = link === undefined ? undefined : lastSegment(link);
	const given = safe(disposed?.replace(/^.*[\\/]/, '') ?? '');
	const base = given || safe(name ?? '') || safe(linked ?? '') || 'file';
	if (given !== '' && extensionOf(base) !== '') return base;

	const wanted =
		extensionOfType(mediaType(answer)) ??
		(extensionOf(`.${extension?.replace(/^\./, '')}`) || extensionOf(linked ?? ''));
	const alreadyThere = base.toLowerCase().endsWith(`.${wanted.toLowerCase()}`);
	return wanted === '' || alreadyThere ? base : `${base}.${wanted}`;
}

/** @returns the name in a Content-Disposition header; `filename*` wins (RFC 6266, section 4.3) */
function dispositionName(disposition: string | undefined): string | undefined {
	const encoded = /filename\*\s*=\s*[\w-]+'[^']*'([^;\s]+)/i.exec(disposition ?? '')?.[1];
	const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition ?? '');
	return encoded === undefined ? (plain?.[1] ?? plain?.[2]) : unescaped(encoded);
}

function lastSegment(link: string): string {
	return unescaped(new URL(link).pathname.replace(/^.*\//, ''));
}

function unescaped(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function extensionOf(name: string): string {
	return /\.([a-z0-9]{1,8})$/i.exec(name)?.[1] ?? '';
}

function safe(name: string): string {
	const plain = name
		.replace(/[\\/]/g, '-')
		.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}"<>:|?*]/gu, '')
		.replace(/^[.\s]+/, '');
	// A character may be cut in two at the end.
	const short = Buffer.from(plain)
		.subarray(0, LONGEST_NAME)
		.toString()
		.replace(/\uFFFD+$/, '');
	return short.replace(/[.\s]+$/, '');
}
