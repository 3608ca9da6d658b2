import { sampleFiles } from './assets';
import { drawAvatar } from './avatars';
import { isFinished, type RenderingOptions } from './rendering';
import { fileResponse, storageError, type ServiceResponse } from './responses';
import type { Store } from './store';

const OPEN_LINK =
	/^\/(?<folder>avatars|fast|rendered)\/(?<id>[\da-f-]{36})(?<mark>-watermarked)?\.(?<extension>\w+)$/;

/**
 * Responds to a link that is not signed: to the picture of an avatar, or to a video, whose link is
 * computed before it is rendered.
 *
 * @returns undefined if a link to this path must be signed
 */
export function respondToOpenLink(
	path: string,
	store: Store,
	options: RenderingOptions,
): ServiceResponse | undefined {
	const { folder, id = '', mark, extension } = OPEN_LINK.exec(path)?.groups ?? {};
	if (folder === undefined) return undefined;
	if (folder === 'avatars') return respondWithAvatar(id, store);
	const rendering = store.renderings.get(id);
	if (!rendering || !isFinished(rendering)) {
		return options.earlyStatus === 403 ? accessDenied() : noSuchKey();
	}
	if (extension === 'png') return pictureResponse(sampleFiles.portrait, 'image/png');
	const isClean = folder === 'rendered' && mark === undefined;
	return isClean && options.isTrial ? accessDenied() : respondWithVideo(id, store);
}

function respondWithAvatar(id: string, store: Store): ServiceResponse {
	const avatar = store.avatars.find((candidate) => candidate.id === id);
	return avatar ? pictureResponse(drawAvatar(avatar), 'image/svg+xml') : noSuchKey();
}

function respondWithVideo(id: string, { videos, fastVideos }: Store): ServiceResponse {
	const video = [...videos, ...fastVideos].find((candidate) => candidate.id === id);
	const title = video?.videoTitle ?? video?.videoName ?? id;
	return fileResponse(sampleFiles.greeting, 'video/mp4', `${title}.mp4`);
}

/** A picture that a browser shows instead of saving it. */
function pictureResponse(body: Buffer, contentType: string): ServiceResponse {
	return { status: 200, headers: { 'content-type': contentType }, body };
}

function noSuchKey(): ServiceResponse {
	return storageError(404, 'NoSuchKey', 'The specified key does not exist.');
}

function accessDenied(): ServiceResponse {
	return storageError(403, 'AccessDenied', 'Access denied.');
}
