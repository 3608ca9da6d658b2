import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../client/client';
import { encodePathSegment } from '../../client/encodePathSegment';
import { isMissing } from '../../client/list';
import { reportsFailure } from '../../client/response/reportedFailure';
import { readRecord } from '../../client/response/response';
import { RequestError } from '../../errors/userError';

/** For how long a service is believed to have no such route, in milliseconds: it may get one. */
const BELIEVE_MS = 3_600_000;
/** More services than any n8n was seen to use; each takes about 100 bytes. */
const MAX_SERVICES = 1_000;

/** Until when the look-up of each Base URL is believed to be missing, in milliseconds since 1970. */
const missingUntil = new Map<string, number>();
/** The value of a service that has looked up a video, so that a 404 is about the video alone. */
const NOT_MISSING = -Infinity;

/**
 * Looks up a video that was created, as public clients do (`service/openapi.yaml`, `getVideo`). The video may
 * have been paid for, so one odd response does not end the wait for it.
 *
 * @param maxWaitMs how long to wait while the service admits nothing
 * @returns the video; `notFound` if the service has no such route, shows a page instead, or has no video
 *   with this ID; the error if the key is rejected; `noResponse` for any other failure
 */
export async function lookUp(
	client: Client,
	id: string,
	maxWaitMs: number,
): Promise<IDataObject | RequestError | 'notFound' | 'noResponse'> {
	const url = `/v1/talkingphotos/${encodePathSegment(id)}`;
	const requested = client.request({ method: 'GET', url, maxWaitMs }, readRecord);
	const found = await requested.catch((error: unknown) => {
		if (!(error instanceof RequestError)) throw error;
		const { code } = error.details;
		if (code === 'unauthorized') return error;
		return isMissing(error) || code === 'unexpectedResponse' ? 'notFound' : 'noResponse';
	});
	if (typeof found !== 'object' || found instanceof RequestError) return found;
	// A video that failed has its ID. Without one, the response says that the look-up failed.
	if (!('id' in found) && reportsFailure(found)) return 'noResponse';
	await rememberLookUp(client);
	return found;
}

/** Remembers that a service looks up videos, so that a 404 is about the video alone. */
export async function rememberLookUp(client: Client): Promise<void> {
	remember(await client.getBaseUrl(), NOT_MISSING);
}

/** @returns whether a service has looked up a video before; undefined if that is not known */
export async function hasLookUp(client: Client): Promise<boolean | undefined> {
	const until = missingUntil.get(await client.getBaseUrl());
	if (until === NOT_MISSING) return true;
	return until !== undefined && Date.now() < until ? false : undefined;
}

/** Remembers for an hour that a service has no look-up. */
export async function rememberNoLookUp(client: Client): Promise<void> {
	remember(await client.getBaseUrl(), Date.now() + BELIEVE_MS);
}

/** For tests only: forgets all that was learned, as a restart of n8n does. */
export function forgetLookUps(): void {
	missingUntil.clear();
}

function remember(baseUrl: string, until: number): void {
	if (missingUntil.size >= MAX_SERVICES) missingUntil.clear();
	missingUntil.set(baseUrl, until);
}
