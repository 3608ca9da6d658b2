import type { IDataObject } from 'n8n-workflow';

import { simplifyKey } from '../../client/response/json';

/** What a response shows of the rendering of a video. */
export interface Rendering {
	state: 'finished' | 'failed' | 'unfinished';
	/** In percent, if the service shows one. */
	progress?: number;
}

/**
 * The words by which services of this kind say how a rendering ended; any other word says nothing. The
 * values of this service are unknown (docs/assumptions.md).
 */
const FINISHED_WORD =
	/^(complete|completed|done|finished|ready|rendered|succeeded|success|successful)$/;
const FAILED_WORD =
	/^(aborted|canceled|cancelled|error|errored|expired|fail|failed|failure|moderated|rejected|timedout|timeout)$/;
/** The fields that say why a rendering failed. */
const REASON_KEY = /error|fail|fault|message|reason/;

/**
 * Reads what a video says of its rendering, by the fields that public clients know (`service/openapi.yaml`,
 * `Video`).
 *
 * @param sentStatus the status that the request asked for: a service repeats what was sent, so as the
 *   status of the response it says nothing
 * @returns undefined if the video says nothing of it
 */
export function readRendering(video: IDataObject, sentStatus?: unknown): Rendering | undefined {
	const { renderDuration, renderProgress, status } = video;
	const isEcho = sentStatus !== undefined && toWord(status) === toWord(sentStatus);
	const words = [toWord(renderProgress), isEcho ? '' : toWord(status)];
	if (words.some((word) => FAILED_WORD.test(word))) return { state: 'failed' };
	const progress = toPercent(renderProgress);
	const isFinished = words.some((word) => FINISHED_WORD.test(word)) || progress === 100;
	if (isFinished || hasValue(renderDuration)) return { state: 'finished' };
	const isShown = renderDuration !== undefined || progress !== undefined;
	return isShown ? { state: 'unfinished', progress } : undefined;
}

/** @returns what a video says of why it failed, or else that it did; not what the user wrote, such as a title */
export function listFailureWords(video: IDataObject): unknown[] {
	const entries = Object.entries(video).filter(([, value]) => hasValue(value));
	const reasons = entries.filter(([key]) => REASON_KEY.test(simplifyKey(key)));
	const stated = entries.filter(([key]) => key === 'renderProgress' || key === 'status');
	const further = stated.filter(([, value]) => !FAILED_WORD.test(toWord(value)));
	const told = [...reasons, ...further];
	return (told.length > 0 ? told : stated).map(([, value]) => value);
}

/** @returns a word in lower case without what separates its parts, such as "timedout" for "TIMED_OUT" */
function toWord(value: unknown): string {
	return typeof value === 'string' ? simplifyKey(value.trim()) : '';
}

/** @returns 40 for 40, "40" and "40 %"; undefined for anything else */
function toPercent(value: unknown): number | undefined {
	const text = typeof value === 'number' ? String(value) : value;
	if (typeof text !== 'string') return undefined;
	const digits = text.replace('%', '').trim();
	return /^\d{1,3}(\.\d+)?$/.test(digits) ? Number(digits) : undefined;
}

/** @returns whether there is a value; a rendering takes time, so a duration of zero is none, like false */
function hasValue(value: unknown): boolean {
	if (typeof value === 'string') return !/^[0:.]*$/.test(value);
	return Boolean(value);
}
