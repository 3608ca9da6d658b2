import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { listFirst, quote } from '../errors/formatText';
import { formatErrorText } from '../errors/nodeError';
import { removeRepeatAdvice } from '../errors/repeatAdvice';
import { toUserError, UserError } from '../errors/userError';

import { downloadFile } from './downloadFile';
import { getLinkName, storeFile } from './fileItem';
import { getCreatedName, type FileName } from './fileName';
import { addFileUrl, addReachedUrl } from './fileUrl';
import { findFiles, omitText, type EncodedFile, type FoundFiles } from './findFiles';
import type { FileKind, Item } from './nodeRun';
import { reachFile } from './reachFile';
import { createWait, type Wait } from './wait';

const MAX_DOWNLOADS = 10;
/** The media types of JSON and text, which `toItems` stores as a file if there is more than 8 MB of it. */
const DATA_TYPE = /^text\/|[/+]json$/;
const NOT_SEARCHED =
	'The response is attached as it came: it is too large, or not valid text, so it cannot be searched for the file.';
/** How long a host has to respond in the last try of a download. */
const MIN_TIMEOUT_MS = 10_000;

/** The step after a creation that adds `fileUrl` and, if the user wants it, the file. */
export async function attachFiles(
	item: Item,
	created: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	return await attachEach(item, created, createWait(item));
}

/**
 * Adds `fileUrl` to each item with exactly one link to a file and, if the user wants it, the files
 * themselves, one after another. What was created may have cost money, so a file that cannot be attached
 * fails no item, and there is nothing for Retry On Fail: `fileError` says why.
 *
 * @param wait for files that are not there yet
 */
export async function attachEach(
	item: Item,
	created: INodeExecutionData[],
	wait: Wait,
): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	let downloads = 0;
	for (const entry of created) {
		const found = findFiles(item, entry.json);
		const json = addFileUrl(entry.json, found.urls);
		const attach = async () => {
			// The response was the file itself, or so much text that it is stored as one.
			if (entry.binary) return { ...entry, json: noteIfText(json, entry.binary) };
			const file = chooseFile(found, item.fileKind!);
			if (typeof file === 'string') {
				downloads++;
				if (downloads > MAX_DOWNLOADS) throw createTooManyError();
				return await attachLinked(item, entry.json, found, wait);
			}
			// This changes the entry that `createOnce` keeps for Retry On Fail, so the base64 does not stay in memory.
			return Object.assign(entry, await createFileItem(item, json, file));
		};
		const addError = (thrown: unknown) => {
			// The creation is done, so no error may say that nothing was changed.
			const error = toUserError(thrown, 'done');
			// The next try of Retry On Fail goes on waiting for the file.
			if (error.details.code === 'runStopped') throw error;
			return { json: { ...json, fileError: describeError(error) } };
		};
		const isWanted = item.parameters.downloadFile === true;
		output.push(isWanted ? await attach().catch(addError) : { ...entry, json });
	}
	return output;
}

/** Downloads the file of an item whose links are known. */
async function attachLinked(item: Item, json: IDataObject, found: FoundFiles, wait: Wait) {
	const links = [...found.urls, ...found.watermarkedUrls];
	const { url, result } = await wait.run(
		async () =>
			await reachFile(
				item,
				links,
				wait,
				async (link) => await downloadFile(withMaxWait(item, wait), link, getNames(link, json)),
			),
	);
	return { json: addReachedUrl(json, found.urls, url), binary: result };
}

/** The response of a look-up may have the title of the video. */
function getNames(link: string, json: IDataObject): FileName[] {
	return [getLinkName(link), getCreatedName(json)];
}

/** @returns the item with a maximum wait for its download, no longer than Wait If Busy */
function withMaxWait(item: Item, { remainingMs }: Wait): Item {
	const maxWaitMs = Math.min(item.request.maxWaitMs ?? Infinity, remainingMs);
	// Its last try may still take some seconds.
	const maxTimeout = Math.max(MIN_TIMEOUT_MS, remainingMs);
	return { ...item, request: { ...item.request, maxWaitMs, maxTimeout } };
}

/** The file of the creation may be within much JSON or text, which is not searched for it. */
function noteIfText(json: IDataObject, binary: IBinaryKeyData): IDataObject {
	const types = Object.values(binary).map(({ mimeType }) => mimeType);
	if (!types.some((type) => DATA_TYPE.test(type))) return json;
	return { ...json, fileError: NOT_SEARCHED };
}

/** Says why there is no file, without advice to create once more what was created. */
function describeError(error: UserError): string {
	return formatErrorText(error.with({ hint: removeRepeatAdvice(error.hint) }));
}

/** Stores a file that the response contains as base64, and leaves that text out of the JSON. */
async function createFileItem(item: Item, json: IDataObject, { text, start, format }: EncodedFile) {
	const content = Buffer.from(text.slice(start), 'base64');
	if (content.length === 0) {
		throw new UserError('The file in the response is empty', '', { code: 'noFile' });
	}
	const stored = await storeFile(item, content, [], format);
	const rest = omitText(json, text);
	return { json: Object.keys(rest).length > 0 ? rest : stored.json, binary: stored.binary };
}

function createTooManyError(): UserError {
	return new UserError(
		`Only the first ${MAX_DOWNLOADS} files of a response are downloaded`,
		'Download this one with an HTTP Request node.',
	);
}

/**
 * @returns the only file in base64, or else the only URL that may lead to the file
 * @throws UserError if there are several, or none
 */
function chooseFile({ links, urls, encoded }: FoundFiles, kind: FileKind): EncodedFile | string {
	if (encoded.length === 1) return encoded[0]!;
	if (urls.length === 1) return urls[0]!;
	const several = urls.length > 0 ? `several links to ${kind}` : 'several files in base64';
	const isNone = urls.length + encoded.length === 0;
	const fields = listFirst([...encoded, ...links], ({ field }) => quote(field));
	const hints = [
		isNone && 'The file may not be ready yet. Look in the studio application.',
		fields !== '' && `Set Link Field to one of these: ${fields}.`,
	];
	throw new UserError(
		`The response contains ${isNone ? `no link to ${kind}` : several}`,
		hints.filter(Boolean).join(' '),
		{ code: 'noFile' },
	);
}
