import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { attachEach } from '../../execution/attachFiles';
import { chooseReadableLink } from '../../execution/fileUrl';
import { isTool, type Item } from '../../execution/nodeRun';
import { addRenderTime, getRenderTimes } from '../../execution/renderTimes';
import { createWait, type Wait } from '../../execution/wait';

import { readRendering, type Rendering } from './rendering';
import { VideoWatch } from './videoWatch';

const NO_FILE_OF_DRAFT = 'A draft is not rendered, so it has no file.';

/**
 * What follows Video: Create and Video: Get. Unless the user does without it, waits until each video is
 * finished, by whatever the service shows of it: see `VideoWatch`. A draft is not rendered
 * (`service/openapi.yaml`, `createVideo`), so it is not waited for.
 *
 * @returns the videos with `finished`, where the service shows it, `fileUrl` and, if wanted, their files
 * @throws UserError `renderFailed` in the service's words, or `notFinished` after Maximum Wait
 */
export async function finishVideos(
	item: Item,
	videos: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	if (isDraft(item, videos)) return videos.map((draft) => describeDraft(item, draft));
	const account = await item.client.identifyAccount();
	// Video: Get does not know when the video was created, so render times do not tell when it will be finished.
	const getKnownTimes = () => (item.creationState ? getRenderTimes(account) : []);
	const wait = createWait(item, getKnownTimes);
	const output: INodeExecutionData[] = [];
	for (const video of videos) {
		// The response may be the file itself.
		const json = video.binary ? video.json : await finishVideo(item, video.json, wait, account);
		output.push({ ...video, json });
	}
	return await attachEach(item, output, wait);
}

/** @returns what is known of the video in the end */
async function finishVideo(
	item: Item,
	created: IDataObject,
	wait: Wait,
	account: string,
): Promise<IDataObject> {
	const watch = new VideoWatch(item, created, wait);
	const rendering = watch.readRendering();
	const isAwaited = shouldWait(item) && rendering?.state !== 'finished';
	// Without waiting, the response to a creation is passed on as it is.
	const isLookedUp = item.creationState === undefined;
	if (isLookedUp) watch.assertNotFailed();
	const isFinished = isAwaited ? await watch.untilFinished() : toFinished(rendering);
	const isMeasured = isAwaited && isFinished === true && item.creationState !== undefined;
	if (isMeasured) addRenderTime(account, wait.elapsedMs);
	const { video } = watch;
	const addsFinished = isFinished !== undefined && !Object.hasOwn(video, 'finished');
	const json = addsFinished ? { finished: isFinished, ...video } : video;
	const isLinkOutput = isFinished === true && item.parameters.downloadFile !== true;
	return isLinkOutput ? await chooseReadableLink(item, json, isAwaited) : json;
}

/** Download File needs a finished video. An agent's tool does not wait by default: its client would give up. */
function shouldWait({ client, creationState, parameters }: Item): boolean {
	const { waitUntilFinished, downloadFile } = parameters;
	// If the expression of Wait Until Finished returns nothing, its default applies.
	const isDefault = creationState !== undefined && !isTool(client.context.getNode());
	return downloadFile === true || Boolean(waitUntilFinished ?? isDefault);
}

function isDraft({ request }: Item, videos: INodeExecutionData[]): boolean {
	const { draft } = (request.body ?? {}) as IDataObject;
	const isUnrendered = ({ json }: INodeExecutionData) =>
		json.draft === true && readRendering(json)?.state !== 'finished';
	return draft === true || videos.some(isUnrendered);
}

function describeDraft({ parameters }: Item, { json, ...rest }: INodeExecutionData) {
	const fileError = parameters.downloadFile === true && { fileError: NO_FILE_OF_DRAFT };
	return { ...rest, json: { ...json, ...fileError } };
}

function toFinished(rendering: Rendering | undefined): boolean | undefined {
	return rendering === undefined ? undefined : rendering.state === 'finished';
}
