import { randomUUID } from 'node:crypto';

import { sampleFiles } from './assets';
import {
	createCreationResponse,
	findSpeechError,
	invalidField,
	type OperationRequest,
} from './handler';
import { describeRendering, isFinished, startFastRendering, startRendering } from './rendering';
import {
	fileResponse,
	jsonResponse,
	problemResponse,
	validationProblem,
	type ServiceResponse,
} from './responses';
import type { Video } from './store';
import { createUuid } from './uuids';

const USER_ID = createUuid('user');

/** What a created video has besides its request; most of it is known in the end only. */
const UNKNOWN_YET = {
	renderDuration: null,
	requestDuration: null,
	renderProgress: null,
	videoLength: null,
	customVideoUrl: null,
	customVideoWatermarkedUrl: null,
	removeBackground: null,
};

export function createVideo(request: OperationRequest): ServiceResponse {
	const { options, store } = request;
	const error = options.asSpecified ? findSpeechError(request, false) : findRequestError(request);
	if (error) return error;
	const { avatarId } = request.body as { avatarId?: string };
	if (avatarId !== undefined && options.refusesUnknownAvatars) {
		const isKnown = store.avatars.some(({ id }) => id === avatarId);
		if (!isKnown) return refuse(request, 'avatarId', `There is no avatar ${avatarId}.`);
	}
	return options.asSpecified ? createSpecifiedVideo(request) : createRenderedVideo(request);
}

/** The video as it is now. */
export function getVideo(request: OperationRequest): ServiceResponse {
	const { id, store } = request;
	const video = store.videos.find((candidate) => candidate.id === id);
	return video
		? jsonResponse(describeVideo(request, video))
		: problemResponse(404, `There is no video ${id}.`);
}

/** A video of the fast branch: a link, which plays soon, and nothing else. */
export function createFastVideo(request: OperationRequest): ServiceResponse {
	const { body, filesUrl, options, store } = request;
	const error = findRequestError(request);
	if (error) return error;
	const id = randomUUID();
	store.fastVideos = [...store.fastVideos, { ...body, id }];
	store.renderings.set(id, startFastRendering(options.rendering));
	return jsonResponse({ videoUrl: `${filesUrl}/fast/${id}.mp4` });
}

function createSpecifiedVideo(request: OperationRequest): ServiceResponse {
	const { body, createLink, options, store } = request;
	const id = randomUUID();
	const video: Video = { status: 'completed', ...body, id };
	const { status, videoTitle } = video;
	store.videos = [...store.videos, video];
	const url = () => ({ url: createLink(`/videos/${id}.mp4`) });
	const file = fileResponse(sampleFiles.greeting, 'video/mp4', `${videoTitle ?? id}.mp4`);
	return createCreationResponse(options.videoResponse, { id, videoTitle, status }, url, file);
}

function createRenderedVideo(request: OperationRequest): ServiceResponse {
	const { body, filesUrl, operation, options, postLater, store } = request;
	const id = randomUUID();
	const unset = operation.bodyFields.map((field) => [field, null] as const);
	const video: Video = {
		...Object.fromEntries(unset),
		fullFrame: true,
		dynamic: false,
		draft: false,
		...body,
		avatarId: resolveAvatar(request),
		id,
		userId: USER_ID,
		dateCreated: new Date().toISOString(),
		...UNKNOWN_YET,
		videoUrl: `${filesUrl}/rendered/${id}.mp4`,
		videoWatermarkedUrl: `${filesUrl}/rendered/${id}-watermarked.mp4`,
	};
	const rendering = startRendering(video, options.rendering);
	store.videos = [...store.videos, video];
	store.renderings.set(id, rendering);
	if (typeof body.callbackUrl === 'string' && rendering.failure === undefined) {
		const { callbacks = 1 } = options.rendering;
		for (let count = 0; count < callbacks; count++) {
			postLater(body.callbackUrl, rendering.milliseconds, () => describeVideo(request, video));
		}
	}
	return jsonResponse(describeVideo(request, video));
}

function describeVideo({ filesUrl, options, store }: OperationRequest, video: Video): object {
	const rendering = store.renderings.get(video.id);
	if (!rendering) return video;
	const preview = isFinished(rendering) ? `${filesUrl}/rendered/${video.id}.png` : null;
	return {
		...video,
		videoPreviewImageUrl: video.videoPreviewImageUrl ?? preview,
		...describeRendering(rendering, options.rendering),
	};
}

/** The ID of the avatar of a request. A photo with a name is saved as a new avatar. */
function resolveAvatar({ body, store }: OperationRequest): string | null {
	const { avatarId, avatarName, avatarUrl } = body as Record<string, string | undefined>;
	if (avatarId !== undefined) return avatarId;
	if (avatarName === undefined) return null;
	if (avatarUrl === undefined) return store.findAvatarByName(avatarName)!.id;
	const id = randomUUID();
	store.avatars = [...store.avatars, { id, name: avatarName, photoUrl: avatarUrl }];
	return id;
}

/** Why a video cannot be created as its request says; undefined if it can. */
function findRequestError(request: OperationRequest): ServiceResponse | undefined {
	const { body, store } = request;
	const { avatarId, avatarName, avatarUrl, script, voiceId, voiceOverUrl } = body as Record<
		string,
		string | undefined
	>;
	const hasVoice = store.voices.some((voice) => voice.voiceId === voiceId);
	const hasAvatar = avatarId ?? avatarUrl ?? store.findAvatarByName(avatarName)?.id;
	if (!hasAvatar) return refuse(request, 'avatarId', 'The avatarId field is required.');
	if (voiceOverUrl !== undefined) return undefined;
	if (!script?.trim()) return refuse(request, 'script', 'The script field is required.');
	if (!voiceId) return refuse(request, 'voiceId', 'The voiceId field is required.');
	return hasVoice ? undefined : refuse(request, 'voiceId', `There is no voice ${voiceId}.`);
}

function refuse({ options }: OperationRequest, field: string, reason: string): ServiceResponse {
	return options.asSpecified
		? invalidField(field, reason)
		: validationProblem({ [field]: [reason] });
}
