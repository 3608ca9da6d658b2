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
/** The fields that hold such a word (see `simplifyKey`). */
const WORD_KEYS = ['renderprogress', 'renderstate', 'renderstatus', 'state', 'status'];
const PROGRESS_KEYS = ['progress', 'progresspercent', 'renderprogress'];
/** The fields that say why a rendering failed. */
const REASON_KEY = /error|fail|fault|message|reason/;
/** The fields that have a value once a rendering has ended, such as how long it took. */
const END_KEYS = ['completedat', 'datecompleted', 'datefinished', 'finishedat', 'renderduration'];

/**
 * Reads what a video says of its rendering, as far as it is known (`service/openapi.yaml`, `Video`).
 *
 * @param sentStatus the status that the request asked for: a service repeats what was sent, so as the
 *   status of the response it says nothing
 * @returns undefined if the video says nothing of it
 */
export function readRendering(video: IDataObject, sentStatus?: unknown): Rendering | undefined {
	const entries = Object.entries(video).map(([key, value]) => [simplifyKey(key), value] as const);
	const fields = new Map(entries);
	const isEcho = sentStatus !== undefined && toWord(fields.get('status')) === toWord(sentStatus);
	if (isEcho) fields.delete('status');
	const words = WORD_KEYS.map((key) => toWord(fields.get(key)));
	if (words.some((word) => FAILED_WORD.test(word))) return { state: 'failed' };
	const [progress] = PROGRESS_KEYS.map((key) => toPercent(fields.get(key))).filter(isNumber);
	const ends = END_KEYS.filter((key) => fields.has(key));
	const hasEnded = ends.some((key) => hasValue(fields.get(key)));
	const isFinished = words.some((word) => FINISHED_WORD.test(word)) || progress === 100;
	if (hasEnded || isFinished) return { state: 'finished' };
	const isShown = ends.length > 0 || progress !== undefined;
	return isShown ? { state: 'unfinished', progress } : undefined;
}

/** @returns what a video says of why it failed, or else that it did; not what the user wrote, such as a title */
export function listFailureWords(video: IDataObject): unknown[] {
	const entries = Object.entries(video).filter(([, value]) => hasValue(value));
	const reasons = entries.filter(([key]) => REASON_KEY.test(simplifyKey(key)));
	const stated = entries.filter(([key]) => WORD_KEYS.includes(simplifyKey(key)));
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

function isNumber(value: number | undefined): value is number {
	return value !== undefined;
}

/** Duration and date that stand for none: a rendering takes time, and .NET writes an empty date so. */
const NO_VALUE = /^([0:.]*|PT0S|-.*|0001-01-01.*)$/;

function hasValue(value: unknown): boolean {
	if (typeof value === 'string') return !NO_VALUE.test(value);
	return value !== null && value !== undefined && value !== 0;
}
