import type {
	IBinaryKeyData,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { delay } from '../client/delay';
import { parseUrl } from '../client/parseUrl';
import { isObject } from '../client/response/json';
import { formatErrorText } from '../errors/nodeError';
import { RequestError, toUserError, UserError } from '../errors/userError';
import { listFirst, quote } from '../errors/values';

import { downloadFile, KIND_NAMES } from './downloadFile';
import { getLastSegment } from './fileItem';
import { isHttpUrl } from './formats';
import type { Item } from './item';
import { getMediaKind } from './mediaTypes';
import { requestItems } from './requestItems';

/** What the user asked for. */
type Kind = keyof typeof KIND_NAMES;

const MAX_FILES_PER_RESPONSE = 100;
/** A video takes minutes to render. */
const WAIT_INTERVAL_MS = 10_000;
/** Nobody enters a longer one as Link Field, and thousands of long ones would fill the memory. */
const MAX_FIELD_LENGTH = 500;

/**
 * Sends the request of an item and, if the user wants it, attaches the file that the response links
 * to. What was created may have cost money, so the item does not fail if the file cannot be
 * attached: `fileError` says why.
 */
export async function requestItemsWithFile(item: Item, kind: Kind): Promise<INodeExecutionData[]> {
	const items = await requestItems(item);
	if (!item.parameters.downloadFile) return items;
	return await Promise.all(
		items.map(async (created, index) => await attachOrExplain(item, created, kind, index)),
	);
}

async function attachOrExplain(
	item: Item,
	created: INodeExecutionData,
	kind: Kind,
	index: number,
): Promise<INodeExecutionData> {
	if (created.binary) return created;
	const { binaryPropertyName: field = 'data', linkField, waitForFileMinutes = 0 } = item.parameters;
	const { json } = created;
	const context = item.client.context as IExecutePaginationFunctions;
	try {
		if (index >= MAX_FILES_PER_RESPONSE) {
			throw new UserError(
				`Only the first ${MAX_FILES_PER_RESPONSE} files of a response are downloaded`,
				'Download this one with an HTTP Request node.',
			);
		}
		const links = findLinks(json, item.request.body);
		const url = linkField ? getLink(links, linkField as string) : chooseLink(links, kind);
		const hints = linkField ? {} : { kind };
		const binary = await waitForFile(
			context.getExecutionCancelSignal(),
			waitForFileMinutes as number,
			async () => await downloadFile(item, url, field as string, hints),
		);
		return { json, binary };
	} catch (error) {
		return { json: { ...json, fileError: formatErrorText(toUserError(error)) } };
	}
}

/**
 * Tries to download a file until it is there, the time is over or the execution is cancelled. What
 * is wrong with the link or with n8n's storage does not pass by waiting.
 */
async function waitForFile(
	signal: AbortSignal | undefined,
	minutes: number,
	download: () => Promise<IBinaryKeyData | undefined>,
): Promise<IBinaryKeyData> {
	const end = Date.now() + minutes * 60_000;
	for (;;) {
		const file = await download().catch((error: unknown) => {
			if (!(error instanceof RequestError) || minutes === 0) throw error;
			if (Date.now() < end) return undefined;
			const waited = minutes + Math.round((Date.now() - end) / 60_000);
			throw error.with({ hint: `Waited for ${waited} min. ${error.hint}` });
		});
		if (file) return file;
		await delay(Math.min(WAIT_INTERVAL_MS, end - Date.now()), signal);
	}
}

/** @throws UserError if there is no link in the field that the user entered */
function getLink(links: Map<string, string>, field: string): string {
	const link = links.get(field.trim());
	if (link !== undefined) return link;
	throw new UserError(
		`The response contains no link in ${quote(field)}`,
		links.size === 0
			? 'It contains no links at all.'
			: `It contains links in ${listFields(links)}.`,
	);
}

/**
 * Chooses the link to a file of the kind asked for, else the one whose extension does not say what
 * it leads to. That of a preview, or of a voice's sample, is no result.
 *
 * @throws UserError if that is not exactly one
 */
export function chooseLink(links: Map<string, string>, kind: Kind): string {
	const results = [...links].filter(([field]) => !/preview|sample/i.test(field));
	const urls = [...new Set(results.map(([, url]) => url))];
	const filter = (wanted?: Kind) =>
		urls.filter((url) => getMediaKind(getLastSegment(url)) === wanted);
	const matching = filter(kind);
	const [url, ...others] = matching.length > 0 ? matching : filter();
	if (url !== undefined && others.length === 0) return url;
	if (urls.length === 0) {
		const field =
			links.size > 0 ? ` If it is one of these, set Link Field: ${listFields(links)}.` : '';
		throw new UserError(
			'The response contains no link to a file',
			`The file may not be ready yet. Look in the studio application.${field}`,
			{ code: 'noFile' },
		);
	}
	const problem = url === undefined ? `no link to ${KIND_NAMES[kind]}` : 'several links';
	throw new UserError(
		`The response contains ${problem}`,
		`Set Link Field to one of these: ${listFields(links)}.`,
	);
}

function listFields(links: Map<string, string>): string {
	return listFirst([...links.keys()], quote);
}

/** @returns the URLs in a response by field, without those that the request sent: they are no result */
export function findLinks(response: IDataObject, sent: unknown): Map<string, string> {
	const toHref = (url: string) => parseUrl(url)!.href;
	const sentUrls = new Set(collectLinks(sent, '').map(([, url]) => toHref(url)));
	return new Map(collectLinks(response, '').filter(([, url]) => !sentUrls.has(toHref(url))));
}

/** @returns the URLs in a response with the path of their fields, such as `result.url` */
function collectLinks(value: unknown, path: string): [field: string, url: string][] {
	if (isHttpUrl(value)) return [[path, value]];
	if (!isObject(value) && !Array.isArray(value)) return [];
	return Object.entries(value).flatMap(([key, entry]) => {
		const field = path === '' ? key : `${path}.${key}`;
		return field.length > MAX_FIELD_LENGTH ? [] : collectLinks(entry, field);
	});
}
