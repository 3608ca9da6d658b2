import { HTTP_URL, UUID } from '../../transport/formats';
import type { Field } from '../../transport/parameters';
import { customBody } from '../fields/customBody';
import { retryUnknownOutcome } from '../fields/retryUnknownOutcome';
import { script } from '../fields/script';
import { operation } from '../operation';
import { voiceId } from '../voice/voiceId';

const videoTitle: Field = {
	displayName: 'Title',
	name: 'videoTitle',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Spring collection',
	description: 'The title the video is to have in the studio application',
};

const avatarId: Field = {
	displayName: 'Avatar ID',
	name: 'avatarId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
	description: 'The avatar that speaks. The service lists no avatars: copy the ID in the studio.',
	format: UUID,
	lookupHint: 'Copy the avatar ID from the studio application.',
};

const videoPreviewImageUrl: Field = {
	displayName: 'Preview Image URL',
	name: 'videoPreviewImageUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/preview.png',
	description: 'The image to show before the video plays',
	format: HTTP_URL,
};

const additionalFields: Field = {
	displayName: 'Additional Fields',
	name: 'additionalFields',
	type: 'collection',
	placeholder: 'Add field',
	default: {},
	options: [
		customBody,
		{
			displayName: 'Draft',
			name: 'draft',
			type: 'boolean',
			default: false,
			description:
				'Whether to mark the video as a draft; whether a draft is made at once, the service does not tell',
		},
		{
			displayName: 'Format',
			name: 'videoFormat',
			type: 'string',
			default: 'mp4',
			placeholder: 'e.g. mp4',
			description: 'The kind of file to make',
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
			description: 'The height of the video. The service does not tell the unit.',
		},
		videoPreviewImageUrl,
		retryUnknownOutcome,
		{
			displayName: 'Status',
			name: 'status',
			type: 'string',
			default: '',
			description: 'The status to make the video with, in the word the service has for it',
		},
		{
			displayName: 'Visibility',
			name: 'visibility',
			type: 'string',
			default: 'private',
			placeholder: 'e.g. private',
			description: 'Who may see the video, in the word the service has for it',
		},
		{
			displayName: 'Width',
			name: 'videoWidth',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description: 'The width of the video. The service does not tell the unit.',
		},
	],
};

export const create = operation({
	name: 'Create',
	value: 'create',
	action: 'Create video',
	description: 'Make a video of an avatar that speaks a script',
	route: 'POST /v1/talkingphotos',
	fields: [videoTitle, script, avatarId, voiceId, additionalFields],
	creates: { subject: 'The video', lookFor: 'in the studio application' },
});
