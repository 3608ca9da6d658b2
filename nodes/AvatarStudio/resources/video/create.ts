import { attachFiles } from '../../execution/attachFiles';
import type { Field } from '../../execution/field';
import { toTitle } from '../../execution/title';
import { HTTP_URL, ID } from '../formats';
import { operation } from '../operation';
import { buildCollection, costNotice, creationOptions, script } from '../sharedFields';
import { voiceId } from '../voice/voiceId';

const videoTitle: Field = {
	displayName: 'Title',
	name: 'videoTitle',
	type: 'string',
	default: '',
	placeholder: 'e.g. Spring collection',
	description: 'Title in the studio application. If empty, the first words of the script.',
};

const avatarId: Field = {
	displayName: 'Avatar ID',
	name: 'avatarId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
	hint: 'Copy the ID from the studio application. It is not the ID of an asset.',
	description: 'The avatar that speaks the script',
	format: { ...ID, hint: 'Copy the avatar ID from the studio application.' },
};

const additionalFields = buildCollection('Additional Fields', 'additionalFields', 'Add field', [
	{
		displayName: 'Draft',
		name: 'draft',
		type: 'boolean',
		default: false,
		description: 'Whether to mark the video as a draft',
	},
	{
		displayName: 'Format',
		name: 'videoFormat',
		type: 'string',
		default: 'mp4',
		placeholder: 'e.g. mp4',
		description: 'File format of the video, as the API names it',
	},
	{
		displayName: 'Full Frame',
		name: 'fullFrame',
		type: 'boolean',
		default: false,
		description: 'Whether the avatar fills the whole frame',
	},
	{
		displayName: 'Height',
		name: 'videoHeight',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'Height of the video, probably in pixels. The API does not document the unit.',
	},
	{
		displayName: 'Preview Image URL',
		name: 'videoPreviewImageUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/preview.png',
		description: 'URL of the image to show before the video plays',
		format: HTTP_URL,
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'string',
		default: '',
		placeholder: 'e.g. queued',
		description: 'Status of the new video, as the API names it',
	},
	{
		displayName: 'Visibility',
		name: 'visibility',
		type: 'string',
		default: 'private',
		placeholder: 'e.g. private',
		description: 'Who can see the video, as the API names it',
	},
	{
		displayName: 'Width',
		name: 'videoWidth',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'Width of the video, probably in pixels. The API does not document the unit.',
	},
]);

export const create = operation({
	name: 'Create',
	value: 'create',
	action: 'Create video',
	description: 'Create a talking-avatar video from a script',
	route: 'POST /v1/talkingphotos',
	fields: [costNotice, script, avatarId, voiceId, videoTitle, additionalFields, creationOptions],
	prepare: ({ parameters, request }) => {
		const title = toTitle(parameters.script as string);
		request.body = { videoTitle: title, ...(request.body as object) };
	},
	createdName: 'The video',
	afterCreation: attachFiles('video'),
});
