import type { IExecutePaginationFunctions, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { delay } from '../client/delay';
import { createStorageError } from '../errors/connectionError';
import { formatErrorText } from '../errors/nodeError';
import { RequestError, toUserError, UserError } from '../errors/userError';
import { listFirst, quote } from '../errors/values';

import { downloadFile } from './downloadFile';
import { getLastSegment } from './fileItem';
import { isHttpUrl } from './formats';
import type { Item } from './item';
import { detectType, getExtensionForType, getMediaKind } from './mediaTypes';
import { requestItems } from './requestItems';

/** What the user asked for, and what messages call it. */
const KIND_NAMES = { audio: 'audio', video: 'a video' };
type Kind = keyof typeof KIND_NAMES;

/** A file that a response links to or contains. */
interface FoundFile {
	/** The path of its field, such as `result.url`. */
	field: string;
	/** Its URL, or its content in base64 or as a data URI. */
	text: string;
	/** What it is, by the extension in its URL or by its first bytes. */
	kind?: string;
}

const MAX_FILES_PER_RESPONSE = 10;
/** A video takes minutes to render. */
const WAIT_INTERVAL_MS = 10_000;
/** Nobody enters a longer one as Link Field, and thousands of long ones would fill the memory. */
const MAX_FIELD_LENGTH = 500;
/** A shorter text in base64 is an ID or a token. */
const MIN_BASE64_LENGTH = 1_000;

/**
 * Sends the request of an item and, if the user wants it, attaches the file that the response links
 * to or contains; of several items, two at a time. What was created may have cost money, so the item
 * does not fail if the file cannot be attached: `fileError` says why.
 */
export async function requestItemsWithFile(item: Item, kind: Kind): Promise<INodeExecutionData[]> {
	const items = await requestItems(item);
	const { downloadFile: isWanted, waitForFileMinutes = 0 } = item.parameters;
	if (!isWanted) return items;
	const waitEnd = Date.now() + (waitForFileMinutes as number) * 60_000;
	const output = [...items];
	const remaining = items.entries();
	const attachNext = async () => {
		for (const [index, { json, binary }] of remaining) {
			if (binary) continue;
			output[index] = await attachFile(item, json, kind, index, waitEnd).catch((error) => ({
				json: { ...json, fileError: formatErrorText(toUserError(error)) },
			}));
		}
	};
	await Promise.all([attachNext(), attachNext()]);
	return output;
}

async function attachFile(
	item: Item,
	json: IDataObject,
	kind: Kind,
	index: number,
	waitEnd: number,
): Promise<INodeExecutionData> {
	if (index >= MAX_FILES_PER_RESPONSE) {
		throw new UserError(
			`Only the first ${MAX_FILES_PER_RESPONSE} files of a response are downloaded`,
			'Download this one with an HTTP Request node.',
		);
	}
	const { binaryPropertyName = 'data', linkField = '' } = item.parameters;
	const property = binaryPropertyName as string;
	// A link that the request sent is no result.
	const sent = JSON.stringify(item.request.body).toLowerCase();
	const files = findFiles(json, '').filter(
		({ text }) => !sent.includes(JSON.stringify(text).toLowerCase()),
	);
	const file = chooseFile(files, kind, (linkField as string).trim());
	if (!isHttpUrl(file.text)) return await attachContent(item, json, file, property);
	return { json, binary: await waitForFile(item, file.text, property, waitEnd) };
}

/**
 * Tries to download a file until it is there, the time is over or the execution is cancelled. What
 * is wrong with the link or with n8n's storage does not pass by waiting.
 */
async function waitForFile(item: Item, url: string, property: string, end: number) {
	const { waitForFileMinutes: minutes, linkField = '' } = item.parameters;
	const context = item.client.context as IExecutePaginationFunctions;
	const hints = { isMedia: linkField === '' };
	for (;;) {
		const file = await downloadFile(item, url, property, hints).catch((error: unknown) => {
			if (!(error instanceof RequestError) || !minutes) throw error;
			if (Date.now() < end) return undefined;
			const waited = (minutes as number) + Math.round((Date.now() - end) / 60_000);
			throw error.with({ hint: `Waited for ${waited} min. ${error.hint}` });
		});
		if (file) return file;
		const signal = context.getExecutionCancelSignal();
		await delay(Math.min(WAIT_INTERVAL_MS, end - Date.now()), signal);
	}
}

/** Attaches a file that the JSON contains, and leaves it out of a copy of the JSON. */
async function attachContent(
	{ client }: Item,
	json: IDataObject,
	{ text, kind }: FoundFile,
	property: string,
): Promise<INodeExecutionData> {
	const [bytes, type] = decodeBase64(text);
	const binary = await client.context.helpers
		.prepareBinaryData(bytes, `${kind}.${getExtensionForType(type)}`, type)
		.catch((error: unknown) => {
			throw createStorageError(error);
		});
	const rest = JSON.stringify(json, (_key, value: unknown) => (value === text ? undefined : value));
	return { json: JSON.parse(rest) as IDataObject, binary: { [property]: binary } };
}

/**
 * Chooses the file in the field that the user entered; else the one of the kind asked for, or the
 * link whose extension does not say what it leads to. A preview, or a voice's sample, is no result.
 *
 * @throws UserError if that is not exactly one
 */
function chooseFile(files: FoundFile[], kind: Kind, linkField: string): FoundFile {
	const results = files.filter(({ field }) =>
		linkField === '' ? !/preview|sample/i.test(field) : field === linkField,
	);
	const isWanted = (file: FoundFile) => linkField !== '' || file.kind === kind;
	const matching = results.filter(isWanted);
	const candidates = matching.length > 0 ? matching : results.filter((file) => !file.kind);
	const [file] = candidates;
	if (file && candidates.every(({ text }) => text === file.text)) return file;
	const fields = listFirst(files, ({ field }) => quote(field));
	const hints = [
		!file && 'The file may not be ready yet. Look in the studio application.',
		fields !== '' && `Set Link Field to one of these: ${fields}.`,
	];
	const summary = `The response contains ${file ? 'several links' : 'no link'} to ${KIND_NAMES[kind]}`;
	throw new UserError(summary, hints.filter(Boolean).join(' '), { code: 'noFile' });
}

function findFiles(value: unknown, field: string): FoundFile[] {
	if (field.length > MAX_FIELD_LENGTH) return [];
	if (typeof value === 'string') {
		const isLink = isHttpUrl(value);
		const kind = isLink ? getMediaKind(getLastSegment(value)) : getKindOfBase64(value);
		return isLink || kind ? [{ field, text: value, kind }] : [];
	}
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, entry]) =>
		findFiles(entry, field === '' ? key : `${field}.${key}`),
	);
}

/** @returns what a text in base64 is, if that is audio or a video */
function getKindOfBase64(text: string): string | undefined {
	if (text.length <= MIN_BASE64_LENGTH && !text.startsWith('data:')) return undefined;
	const [, type] = decodeBase64(text.slice(0, 200));
	const kind = getMediaKind(type);
	const isMedia = kind !== undefined && kind in KIND_NAMES;
	return isMedia && /^(data:[^,]*,)?[\w+/=\s-]+$/.test(text) ? kind : undefined;
}

/**
 * @returns the content of a text in base64 and its media type: a data URI tells audio from video,
 *   which the first bytes of a container do not
 */
function decodeBase64(text: string): [content: Buffer, mediaType: string] {
	const [start = ''] = /^data:[^,]*,/.exec(text) ?? [];
	const [stated = ''] = start.slice('data:'.length, -1).toLowerCase().split(';');
	const content = Buffer.from(text.slice(start.length), 'base64');
	return [content, detectType(content, stated)];
}
