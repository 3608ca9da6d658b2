import type { IDataObject } from 'n8n-workflow';

import { formatSeconds, log } from '../../client/log';
import { describeValue } from '../../client/response/serviceMessage';
import { RequestError, UserError } from '../../errors/userError';
import { assertFileIsThere, isUnusableLink } from '../../execution/downloadFile';
import { findFiles } from '../../execution/findFiles';
import type { Item } from '../../execution/nodeRun';
import type { Wait } from '../../execution/wait';
import { toText } from '../texts';

import { hasLookUp, lookUp, rememberNoLookUp } from './lookUp';
import { listFailureWords, readRendering, type Rendering } from './rendering';

/** After so many look-ups that find nothing, a service that never looked up a video has no such route. */
const MAX_MISSES = 2;

/** Watches a video, by whatever the service shows of it, until it is finished. */
export class VideoWatch {
	/** How many look-ups in a row have found no such video. */
	private misses = 0;
	/** Whether there may be a look-up. If not, the link alone tells whether the video is finished. */
	private mayLookUp: boolean;
	/** Whether the link could be tried, if there is one. */
	private isLinkUsable = true;

	/** @param video as it was created or looked up; later look-ups complete it */
	constructor(
		private readonly item: Item,
		public video: IDataObject,
		private readonly wait: Wait,
	) {
		this.mayLookUp = this.id !== '';
	}

	/** The ID of the video; empty if it has none. */
	get id(): string {
		return toText(this.video.id ?? this.item.parameters.videoId);
	}

	/** Reads what the video says of its rendering. */
	readRendering(): Rendering | undefined {
		const { status: sentStatus } = (this.item.request.body ?? {}) as IDataObject;
		return readRendering(this.video, sentStatus);
	}

	/** Throws UserError `renderFailed`, in the service's words, if the video says that it failed. */
	assertNotFailed(): void {
		const { video } = this;
		if (this.readRendering()?.state !== 'failed') return;
		const { serviceMessage } = describeValue(listFailureWords(video));
		const details = { code: 'renderFailed', serviceMessage, responseBody: video } as const;
		throw new UserError('The service could not render the video', '', details);
	}

	/**
	 * Waits until the video is finished. Where the service has neither a look-up nor a link to the video,
	 * nothing is waited for.
	 *
	 * @returns whether it is; undefined if nothing shows it
	 * @throws UserError `renderFailed`, or `notFinished` when the wait is over
	 */
	async untilFinished(): Promise<true | undefined> {
		return await this.wait.run(async () => {
			if ((await hasLookUp(this.item.client)) === false) this.mayLookUp = false;
			for (;;) {
				if (await this.isFinished()) return true;
				if (!this.mayLookUp && this.listLinks().length === 0) return undefined;
				if (!(await this.wait.untilNextLook())) break;
				if (this.mayLookUp) await this.look();
			}
			// A service may forget to say that a video is finished, or say it in words that nobody knows.
			if (await this.isLinkThere()) return true;
			throw this.createNotFinishedError();
		});
	}

	private async isFinished(): Promise<boolean> {
		this.assertNotFailed();
		const { state, progress } = this.readRendering() ?? {};
		if (state === 'finished') return true;
		// A field that is still empty may stay so. Only a progress shows that the end is going to be told.
		const isTold = this.mayLookUp && progress !== undefined;
		return !isTold && (await this.isLinkThere());
	}

	private async look(): Promise<void> {
		const { client } = this.item;
		const found = await lookUp(client, this.id, this.wait.remainingMs);
		if (typeof found === 'object') {
			this.misses = 0;
			this.video = { ...this.video, ...found };
			this.logLook();
			return;
		}
		if (found === 'noResponse') return;
		this.misses++;
		const isMissing = this.misses >= MAX_MISSES && (await hasLookUp(client)) !== true;
		if (!isMissing) return;
		this.mayLookUp = false;
		await rememberNoLookUp(client);
	}

	private logLook(): void {
		const { state = 'says nothing', progress } = readRendering(this.video) ?? {};
		const detail = progress === undefined ? '' : ` (${progress} %)`;
		const next = formatSeconds(this.wait.nextMs);
		const text = `GET /v1/talkingphotos/${this.id}: ${state}${detail}. If need be, next look in ${next}.`;
		log(this.item.client.context, 'debug', text);
	}

	/** @returns the links to the video, if it is certain which they are: without a watermark, then with one */
	private listLinks(): string[] {
		const { urls, watermarkedUrls } = findFiles(this.item, this.video);
		const isUsable = this.isLinkUsable && urls.length === 1;
		return isUsable ? [...urls, ...watermarkedUrls] : [];
	}

	/** Whether the file is there, which takes its first bytes. */
	private async isLinkThere(): Promise<boolean> {
		for (const url of this.listLinks()) {
			const isThere = await assertFileIsThere(this.item, url).then(
				() => true,
				(error: unknown) => this.noteUnusableLink(error),
			);
			if (isThere) return true;
		}
		return false;
	}

	private noteUnusableLink(error: unknown): false {
		this.isLinkUsable = !isUnusableLink(error);
		if (this.isLinkUsable && !(error instanceof RequestError)) throw error;
		return false;
	}

	private createNotFinishedError(): UserError {
		const minutes = this.wait.maxWaitMs / 60_000;
		const where = this.mayLookUp
			? `Video: Get finds it later, with the Video ID ${this.id}.`
			: 'Look for it later in the studio application.';
		return new UserError(
			`The video is not finished after ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
			`${where} To wait longer, raise Maximum Wait.`,
			{ code: 'notFinished' },
		);
	}
}
