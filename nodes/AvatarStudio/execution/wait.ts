import type { Client } from '../client/client';
import { LONGEST_WAIT_MS } from '../client/delay';
import { REPORT_AFTER_MS } from '../client/log';

import type { FileKind, Item } from './nodeRun';
import { getIntervalMs } from './renderTimes';
import { getWaitLog, type WaitLog } from './waitLog';

/** How long to wait for what was created if the user has not set Maximum Wait, in minutes. */
export const DEFAULT_MAX_WAIT_MINUTES: Record<FileKind, number> = { audio: 10, video: 30 };

/** The wait of an item for what the service finishes in its own time, such as a video or its file. */
export class Wait {
	readonly endsAt: number;
	/** Set while `run` lasts. */
	private log?: WaitLog;

	/**
	 * @param maxWaitMs how long it lasts at most
	 * @param getKnownTimes how long the same took before, in milliseconds: see `getIntervalMs`
	 * @param createdAt since when the service works on it, perhaps since an earlier try of Retry On Fail
	 */
	constructor(
		readonly client: Client,
		readonly maxWaitMs: number,
		private readonly getKnownTimes: () => number[] = () => [],
		private readonly createdAt = Date.now(),
	) {
		this.endsAt = Date.now() + maxWaitMs;
	}

	/** How long the service has been working on it, in milliseconds. */
	get elapsedMs(): number {
		return Date.now() - this.createdAt;
	}

	/** How long it may still last, in milliseconds; 0 if it is over. */
	get remainingMs(): number {
		return Math.max(0, this.endsAt - Date.now());
	}

	/** How long `untilNextLook` is going to wait, in milliseconds; 0 if the wait is over. */
	get nextMs(): number {
		return Math.min(getIntervalMs(this.elapsedMs, this.getKnownTimes()), this.remainingMs);
	}

	/** Runs the looks, between which `untilNextLook` waits. Meanwhile n8n's log tells of the wait. */
	async run<T>(takeLooks: () => Promise<T>): Promise<T> {
		const log = await getWaitLog(this.client);
		this.log = log;
		log.add(this);
		return await takeLooks().finally(() => log.remove(this));
	}

	/**
	 * Waits until it is time to look again.
	 *
	 * @returns whether there was time left
	 * @throws UserError within half a second after n8n cancelled the execution, or the run was stopped
	 */
	async untilNextLook(): Promise<boolean> {
		const { nextMs } = this;
		for (let leftMs = nextMs; leftMs > 0; leftMs -= REPORT_AFTER_MS) {
			await this.client.delay(Math.min(leftMs, REPORT_AFTER_MS));
			this.log?.tell(this);
		}
		return nextMs > 0;
	}
}

/** @returns the wait for the file of an item, or for its video, by Maximum Wait */
export function createWait(
	{ client, parameters, fileKind, creationState }: Item,
	getKnownTimes?: () => number[],
): Wait {
	const minutes = parameters.maxWaitMinutes ?? DEFAULT_MAX_WAIT_MINUTES[fileKind!];
	const maxWaitMs = Math.min((minutes as number) * 60_000, LONGEST_WAIT_MS);
	return new Wait(client, maxWaitMs, getKnownTimes, creationState?.createdAt);
}
