import { attachFiles } from '../../execution/attachFiles';
import type { Field } from '../../execution/field';
import { addReadableLinks } from '../../execution/fileUrl';
import { avatarId } from '../avatar/avatarId';
import { operation } from '../operation';
import { buildCreationOptions, costNotice, script } from '../sharedFields';
import { voiceId } from '../voice/voiceId';

/** The only format that clients of the fast branch ask for (`service/openapi.yaml`, `createFastVideo`). */
const VIDEO_FORMAT = 'mp4';

const fastBranchNotice: Field = {
	displayName:
		'Select a credential for the fast branch: its Base URL ends with /api, and it has an API key of its own. It has no lists, so enter the IDs of the avatar and the voice.',
	name: 'fastBranchNotice',
	type: 'notice',
	default: '',
};

const videoName: Field = {
	displayName: 'Video Name',
	name: 'videoName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Spring collection',
	description: 'Name of the video in the studio application',
};

export const createFast = operation({
	name: 'Create Fast',
	value: 'createFast',
	action: 'Create video with the fast branch',
	description: 'Create a talking-avatar video with the fast branch, which takes seconds',
	route: 'POST /v1/videos',
	fields: [
		costNotice,
		fastBranchNotice,
		script,
		avatarId,
		voiceId,
		videoName,
		buildCreationOptions('video'),
	],
	prepare: ({ request }) => {
		request.body = { videoFormat: VIDEO_FORMAT, ...(request.body as object) };
	},
	createdName: 'The video',
	fileKind: 'video',
	// The link plays after some seconds (`service/openapi.yaml`, `createFastVideo`), for which the next node
	// would not wait.
	afterCreation: async (item, created) => {
		const step = item.parameters.downloadFile === true ? attachFiles : addReadableLinks;
		return await step(item, created);
	},
});
