import type {
	IBinaryKeyData,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { formatSeconds, log } from '../client/log';
import { listFirst, quote, shorten } from '../errors/formatText';
import { formatErrorText } from '../errors/nodeError';
import { removeRepeatAdvice } from '../errors/repeatAdvice';
import { RequestError, toUserError, UserError } from '../errors/userError';

import { downloadFile } from './downloadFile';
import { storeFile } from './fileItem';
import { findFiles, omitText, type EncodedFile, type FoundFiles } from './findFiles';
import type { Item } from './nodeRun';

type Kind = 'audio' | 'video';

const MAX_DOWNLOADS = 10;
/** The media types of JSON and text, which `toItems` stores as a file if there is more than 8 MB of it. */
const DATA_TYPE = /^text\/|[/+]json$/;
const NOT_SEARCHED =
	'The response is attached as it came: it is too large, or not valid text, so it cannot be searched for the file.';
/** How long to wait while the host refuses a file, if the user has not set Wait for the File. */
const REFUSED_WAIT_MS = 60_000;
/** How long to wait between two tries of a link: a video takes minutes to render. */
const WAIT_INTERVAL_MS = 10_000;

/**
 * Builds the step after a creation that adds `fileUrl` to each item with exactly one link to a file and,
 * if the user wants it, the files themselves, one after another. What was created may have cost money,
 * so a file that cannot be attached fails no item, and there is nothing for Retry On Fail: `fileError`
 * says why.
 */
export function attachFiles(kind: Kind) {
	return async (item: Item, created: INodeExecutionData[]): Promise<INodeExecutionData[]> => {
		const { downloadFile: isWanted, waitForFileMinutes: minutes } = item.parameters;
		const waitEnd = typeof minutes === 'number' ? Date.now() + minutes * 60_000 : undefined;
		const output: INodeExecutionData[] = [];
		let downloads = 0;
		for (const entry of created) {
			const found = findFiles(item, entry.json, kind);
			const json = addFileUrl(entry.json, found.urls);
			const attach = async () => {
				if (!isWanted) return { ...entry, json };
				// The response was the file itself, or so much text that it is stored as one.
				if (entry.binary) return { ...entry, json: noteIfText(json, entry.binary) };
				const file = chooseFile(found, kind);
				if (typeof file === 'string') {
					downloads++;
					if (downloads > MAX_DOWNLOADS) throw createTooManyError();
					return { json, binary: await waitForFile(item, file, waitEnd) };
				}
				// This changes the entry that `createOnce` keeps for Retry On Fail, so the base64 does not stay in memory.
				return Object.assign(entry, await createFileItem(item, json, file));
			};
			// The creation is done, so no error may say that nothing was changed.
			const addError = (thrown: unknown) => {
				const error = toUserError(thrown, 'done');
				// The next try of Retry On Fail goes on waiting for the file.
				if (error.details.code === 'runStopped') throw error;
				return { json: { ...json, fileError: describeError(error) } };
			};
			output.push(await attach().catch(addError));
		}
		return output;
	};
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

function addFileUrl(json: IDataObject, [fileUrl, ...others]: string[]): IDataObject {
	const isOnly = fileUrl !== undefined && others.length === 0;
	return isOnly && !Object.hasOwn(json, 'fileUrl') ? { ...json, fileUrl } : json;
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
function chooseFile({ links, urls, encoded }: FoundFiles, kind: Kind): EncodedFile | string {
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

/**
 * Tries a link until the file is there or the time is over. Only what the network or the host says may
 * change with time: what is wrong with the link itself, or with n8n's storage, is an error at once.
 *
 * @param end of Wait for the File; if the user has not set it, the link is tried once
 */
async function waitForFile(item: Item, url: string, end?: number): ReturnType<typeof downloadFile> {
	const context = item.client.context as IExecutePaginationFunctions;
	const host = shorten(new URL(url).host);
	for (let tries = 1; ; tries++) {
		const maxWaitMs = end === undefined ? REFUSED_WAIT_MS : end - Date.now();
		const result = await downloadFile(withMaxWait(item, maxWaitMs), url).catch((error) =>
			toUserError(error, 'done'),
		);
		if (!(result instanceof UserError)) return result;
		if (!(result instanceof RequestError)) throw result;
		const { code, status } = result.details;
		const failure = `The file at ${host} is not there (${status ?? code}), try ${tries}`;
		const waitMs = end === undefined ? 0 : Math.min(WAIT_INTERVAL_MS, end - Date.now());
		const next = waitMs <= 0 ? 'gave up' : `next try in ${formatSeconds(waitMs)}`;
		log(context, 'debug', `${failure}: ${next}`);
		if (waitMs <= 0) throw result;
		await item.client.delay(waitMs);
	}
}

/** @returns the item with a maximum wait for its download, no longer than Wait If Busy */
function withMaxWait(item: Item, limitMs: number): Item {
	const maxWaitMs = Math.max(0, Math.min(item.request.maxWaitMs ?? Infinity, limitMs));
	return { ...item, request: { ...item.request, maxWaitMs } };
}
