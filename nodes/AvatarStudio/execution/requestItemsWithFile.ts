import type { IDataObject, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { delay } from '../client/delay';
import { isHttpUrl } from '../client/parseUrl';
import { listFirst, quote } from '../errors/formatText';
import { formatErrorText } from '../errors/nodeError';
import { RequestError, toUserError, UserError } from '../errors/userError';

import { downloadFile } from './downloadFile';
import { getLastSegment } from './fileItem';
import { makeRequest } from './makeRequest';
import { getMediaKind } from './mediaTypes';
import type { Item } from './nodeRun';

type Kind = 'audio' | 'video';

/** A link in a response, the path of its field, such as `result.url`, and what its extension says. */
interface Link {
	field: string;
	url: string;
	kind?: string;
}

const MAX_FILES = 10;
/** A video takes minutes to render. */
const WAIT_INTERVAL_MS = 10_000;
/** Nobody enters a longer one as Link Field, and thousands of long ones would fill the memory. */
const MAX_FIELD_LENGTH = 500;

/**
 * Sends the request of an item and, if the user wants it, attaches the files that the response links
 * to, one by one. What was created may have cost money, so the item does not fail if a file cannot be
 * attached: `fileError` says why.
 */
export async function requestItemsWithFile(item: Item, kind: Kind): Promise<INodeExecutionData[]> {
	const items = await makeRequest(item);
	const { downloadFile: isWanted, waitForFileMinutes = 0 } = item.parameters;
	if (!isWanted) return items;
	const waitEnd = Date.now() + (waitForFileMinutes as number) * 60_000;
	const attach = async ({ json, binary }: INodeExecutionData, index: number) => {
		if (binary) return { json, binary };
		if (index < MAX_FILES) {
			return { json, binary: await waitForFile(item, chooseLink(item, json, kind), waitEnd) };
		}
		const summary = `Only the first ${MAX_FILES} files of a response are downloaded`;
		throw new UserError(summary, 'Download this one with an HTTP Request node.');
	};
	const output: INodeExecutionData[] = [];
	for (const [index, created] of items.entries()) {
		const attached = await attach(created, index).catch((error) => ({
			json: { ...created.json, fileError: formatErrorText(toUserError(error)) },
		}));
		output.push(attached);
	}
	return output;
}

/** Tries again until the file is there. What is wrong with the link or the storage does not pass. */
async function waitForFile(item: Item, url: string, end: number): ReturnType<typeof downloadFile> {
	return await downloadFile(item, url).catch(async (error: unknown) => {
		const left = end - Date.now();
		if (!(error instanceof RequestError) || left <= 0) throw error;
		const context = item.client.context as IExecutePaginationFunctions;
		await delay(Math.min(WAIT_INTERVAL_MS, left), context.getExecutionCancelSignal());
		return await waitForFile(item, url, end);
	});
}

/**
 * Chooses the only link in the field that the user entered; else to the kind asked for, or else whose
 * extension does not say what it leads to. A preview, or a voice's sample, is no result, nor is a link
 * that the request sent.
 */
function chooseLink({ parameters, request }: Item, json: IDataObject, kind: Kind): string {
	const { linkField } = parameters;
	const sent = JSON.stringify(request.body);
	const links = findLinks(json).filter(({ url }) => !sent.includes(JSON.stringify(url)));
	const pick = (isWanted: (link: Link) => boolean) => [
		...new Set(links.filter(isWanted).map(({ url }) => url)),
	];
	const ofKind = pick((link) => (linkField ? link.field === linkField : link.kind === kind));
	const isUnclear = ofKind.length === 0 && !linkField;
	const [url, ...others] = isUnclear ? pick((link) => link.kind === undefined) : ofKind;
	if (url !== undefined && others.length === 0) return url;
	const fields = listFirst(links, ({ field }) => quote(field));
	const hints = [
		!url && 'The file may not be ready yet. Look in the studio application.',
		fields !== '' && `Set Link Field to one of these: ${fields}.`,
	];
	const summary = `The response contains ${url ? 'several links' : 'no link'} to ${kind}`;
	throw new UserError(summary, hints.filter(Boolean).join(' '), { code: 'noFile' });
}

function findLinks(value: unknown, field = ''): Link[] {
	if (isHttpUrl(value)) {
		const isPreview = /preview|sample/i.test(field);
		return [{ field, url: value, kind: isPreview ? 'other' : getMediaKind(getLastSegment(value)) }];
	}
	if (typeof value !== 'object' || value === null || field.length > MAX_FIELD_LENGTH) return [];
	return Object.entries(value).flatMap(([key, entry]) =>
		findLinks(entry, field === '' ? key : `${field}.${key}`),
	);
}
