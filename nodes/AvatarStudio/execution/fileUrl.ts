import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { RequestError } from '../errors/userError';

import { assertFileIsThere, isBlockedLink } from './downloadFile';
import { findFiles } from './findFiles';
import type { Item } from './nodeRun';
import { reachFile } from './reachFile';
import { Wait } from './wait';

/** How long the link of a finished video may lead nowhere before it is handed on all the same. */
const MAX_LATE_MS = 5_000;
const WATERMARK_NOTE =
	'The video without a watermark was refused, so fileUrl leads to the one with it. A trial account may not get the other one.';

/**
 * Finds the link of a finished video that its host hands out: the file may come a moment after the word
 * that the video is finished, and a trial account may only get the one with a watermark.
 *
 * @param isAwaited whether the video was waited for. Otherwise an only link is handed on untried
 * @returns the item with `fileUrl`, and a note if that is the link with a watermark
 */
export async function chooseReadableLink(
	item: Item,
	json: IDataObject,
	isAwaited: boolean,
): Promise<IDataObject> {
	const { urls, watermarkedUrls } = findFiles(item, json);
	const isTried = urls.length === 1 && (isAwaited || watermarkedUrls.length > 0);
	if (!isTried) return addFileUrl(json, urls);
	const wait = new Wait(item.client, MAX_LATE_MS);
	const check = async (url: string) => await assertFileIsThere(item, url);
	const reached = await reachFile(item, [...urls, ...watermarkedUrls], wait, check).catch(
		(error: unknown) => {
			// No link could be tried, so none is preferred.
			if (error instanceof RequestError || isBlockedLink(error)) return undefined;
			throw error;
		},
	);
	return addReachedUrl(json, urls, reached?.url);
}

/** The step after a creation whose link leads to the file within seconds: it waits for that, and adds `fileUrl`. */
export async function addReadableLinks(
	item: Item,
	created: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const choose = async (entry: INodeExecutionData) => {
		const json = await chooseReadableLink(item, entry.json, true);
		return { ...entry, json };
	};
	return await Promise.all(created.map(choose));
}

/** Adds `fileUrl` to the JSON of an item with exactly one link, unless the service has such a field. */
export function addFileUrl(json: IDataObject, [fileUrl, ...others]: string[]): IDataObject {
	const isOnly = fileUrl !== undefined && others.length === 0;
	// It comes first, because a video has some forty fields, most of them empty.
	return isOnly && !Object.hasOwn(json, 'fileUrl') ? { fileUrl, ...json } : json;
}

/** @param reached the link that led to the file; the video has a watermark if `urls` does not have that link */
export function addReachedUrl(json: IDataObject, urls: string[], reached?: string): IDataObject {
	const hasWatermark = reached !== undefined && !urls.includes(reached);
	if (!hasWatermark) return addFileUrl(json, urls);
	return { note: WATERMARK_NOTE, ...addFileUrl(json, [reached]) };
}
