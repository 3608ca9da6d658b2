import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../../execution/field';
import { toTitle } from '../../execution/title';
import { avatarOrPhoto, isPhoto } from '../avatar/avatarId';
import { operation } from '../operation';
import { buildCreationOptions, costNotice, script } from '../sharedFields';
import { voiceId } from '../voice/voiceId';

import { additionalFields } from './additionalFields';
import { finishVideos } from './finish';

const videoTitle: Field = {
	displayName: 'Title',
	name: 'videoTitle',
	type: 'string',
	default: '',
	placeholder: 'e.g. Spring collection',
	description: 'Title in the studio application. If empty, the first words of the script.',
};

const waitUntilFinished: Field = {
	displayName: 'Wait Until Finished',
	name: 'waitUntilFinished',
	type: 'boolean',
	default: true,
	defaultOfTool: false,
	description:
		'Whether to wait until the video can be watched, which takes minutes. Otherwise the output is what the service knows at once, and Video: Get looks the video up later.',
	isLocal: true,
};

export const create = operation({
	name: 'Create',
	value: 'create',
	action: 'Create video',
	description: 'Create a talking-avatar video from a script and wait until it is finished',
	route: 'POST /v1/talkingphotos',
	fields: [
		costNotice,
		script,
		avatarOrPhoto,
		voiceId,
		videoTitle,
		waitUntilFinished,
		additionalFields,
		buildCreationOptions('video'),
	],
	prepare: ({ parameters, request }) => {
		const { avatarId, ...body } = request.body as IDataObject;
		const avatar = isPhoto(avatarId) ? { avatarUrl: avatarId } : { avatarId };
		request.body = { videoTitle: toTitle(parameters.script as string), ...body, ...avatar };
	},
	createdName: 'The video',
	fileKind: 'video',
	afterCreation: finishVideos,
});
