import type { IDataObject } from 'n8n-workflow';

import { formatSeconds, log } from '../../client/log';
import { describeValue } from '../../client/response/serviceMessage';
import { shorten } from '../../errors/formatText';
import { RequestError, UserError } from '../../errors/userError';
import { assertFileIsThere, isBlockedLink } from '../../execution/downloadFile';
import { findFiles } from '../../execution/findFiles';
import type { Item } from '../../execution/nodeRun';
import type { Wait } from '../../execution/wait';
import { toText } from '../texts';

import { hasLookUp, lookUp, rememberNoLookUp } from './lookUp';
import { listFailureWords, readRendering, type Rendering } from './rendering';

/** After so many rejections of the key in a row, waiting ends. */
const MAX_REJECTIONS = 3;
/**
 * If a service that never looked up a video finds none so long after the creation, in milliseconds, it has no
 * such route. Before that, it may not find the new video yet.
 */
const FOUND_WITHIN_MS = 10_000;

/** Watches a video, by whatever the service shows of it, until it is finished. */
export class VideoWatch {
	/** How many look-ups in a row were rejected because of the key. */
	private rejections = 0;
	/** The ID of the video; empty if it has none. A look-up of another video does not change it. */
	readonly id: string;
	/** The video as it is now. */
	video: IDataObject;
	/** Whether there may be a look-up. If not, the link alone tells whether the video is finished. */
	private mayLookUp: boolean;
	/** Whether to try the link, if there is one: it may be blocked, or its host silent. */
	private mayTryLink = true;

	/** @param created the video as it was created or looked up; the last look-up completes it */
	constructor(
		private readonly item: Item,
		private readonly created: IDataObject,
		private readonly wait: Wait,
	) {
		this.video = created;
		this.id = toText(created.id ?? item.parameters.videoId);
		this.mayLookUp = this.id !== '';
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
			throw this.createNotFinishedError();
		});
	}

	private async isFinished(): Promise<boolean> {
		this.assertNotFailed();
		if (this.readRendering()?.state === 'finished') return true;
		// A field that is empty, or a progress, may stay as it is, so the link is tried as well.
		return await this.isLinkThere();
	}

	private async look(): Promise<void> {
		const { client } = this.item;
		const isSettled = this.wait.elapsedMs >= FOUND_WITHIN_MS;
		// While the service asks to wait, the link may show that the video is finished.
		const maxWaitMs = this.listLinks().length > 0 ? this.wait.nextMs : this.wait.remainingMs;
		const found = await lookUp(client, this.id, maxWaitMs);
		if (found === 'noResponse') return;
		if (found instanceof RequestError) return this.countRejection(found);
		this.rejections = 0;
		if (found !== 'notFound') {
			this.video = { ...this.created, ...omitEmpty(found) };
			this.logLook();
			return;
		}
		const isMissing = isSettled && (await hasLookUp(client)) !== true;
		if (!isMissing) return;
		this.mayLookUp = false;
		// Now the link alone tells, even if its host was silent before.
		this.mayTryLink = true;
		await rememberNoLookUp(client);
	}

	/** A key may be replaced while the video is rendered, so it has to be rejected several times. */
	private countRejection(error: RequestError): void {
		this.rejections++;
		if (this.rejections >= MAX_REJECTIONS) throw error;
	}

	private logLook(): void {
		const { state = 'says nothing', progress } = readRendering(this.video) ?? {};
		const detail = progress === undefined ? '' : ` (${progress} %)`;
		const next = formatSeconds(this.wait.nextMs);
		const text = `GET /v1/talkingphotos/${shorten(this.id)}: ${state}${detail}. If need be, next look in ${next}.`;
		log(this.item.client.context, 'debug', text);
	}

	/** @returns the links to the video, if it is certain which they are: without a watermark, then with one */
	private listLinks(): string[] {
		const { urls, watermarkedUrls } = findFiles(this.item, this.video);
		const isUsable = this.mayTryLink && urls.length === 1;
		return isUsable ? [...urls, ...watermarkedUrls] : [];
	}

	/** Whether the file is there, which takes its first bytes. */
	private async isLinkThere(): Promise<boolean> {
		for (const url of this.listLinks()) {
			const isThere = await assertFileIsThere(this.item, url).then(
				() => true,
				(error: unknown) => this.handleLinkFailure(error),
			);
			if (isThere) return true;
		}
		return false;
	}

	private handleLinkFailure(error: unknown): false {
		const isOfHost = error instanceof RequestError;
		if (!isOfHost && !isBlockedLink(error)) throw error;
		// A host that does not respond would hold up the look-ups, which tell the same.
		const isSilent =
			isOfHost && error.details.status === undefined && error.details.code !== 'noFile';
		const isDispensable = isSilent && this.mayLookUp;
		this.mayTryLink = isOfHost && !isDispensable;
		return false;
	}

	private createNotFinishedError(): UserError {
		const minutes = this.wait.maxWaitMs / 60_000;
		const where = this.mayLookUp
			? `Video: Get finds it later, with the Video ID ${shorten(this.id)}.`
			: 'Look for it later in the studio application.';
		return new UserError(
			`The video is not finished after ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
			`${where} To wait longer, raise Maximum Wait.`,
			{ code: 'notFinished' },
		);
	}
}

/** A look-up may leave out what the creation has told. */
function omitEmpty(video: IDataObject): IDataObject {
	const entries = Object.entries(video).filter(([, value]) => value !== null && value !== '');
	return Object.fromEntries(entries);
}
