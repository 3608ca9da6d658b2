import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { recordWithLink } from '../../transport/download';
import { send } from '../../transport/executeItem';
import type { Item } from '../../transport/item';
import { UUID, HTTP_URL } from '../../transport/parameters';
import { assetId } from '../asset/assetId';
import { assetList } from '../asset/assetList';
import { customBody } from '../customBody';
import type { Operation } from '../properties';
import { script } from '../script';
import { voiceId } from '../voice/voiceId';

const videoTitle: INodeProperties = {
	displayName: 'Title',
	name: 'videoTitle',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Spring collection',
	description: 'The title the video is to have in the studio application',
};

const avatarId: INodeProperties = {
	displayName: 'Avatar ID',
	name: 'avatarId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
	description: 'The avatar that speaks. The service lists no avatars: copy the ID in the studio.',
};

const previewImage: INodeProperties = {
	...assetId,
	displayName: 'Preview Image',
	name: 'previewImageAssetId',
	required: false,
	description:
		'An asset as the image to show before the video plays. Preview Image URL wins over it.',
};

const additionalFields: INodeProperties = {
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
		previewImage,
		{
			displayName: 'Preview Image URL',
			name: 'videoPreviewImageUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/preview.png',
			description: 'The image to show before the video plays',
		},
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

const fields = [videoTitle, script, avatarId, voiceId, additionalFields];

/** A link to an asset expires after 12 hours, so a fresh one is fetched for each video. */
async function withPreviewImage(item: Item): Promise<Item> {
	const { previewImageAssetId, ...body } = item.call.body as IDataObject;
	if (previewImageAssetId !== undefined && body.videoPreviewImageUrl === undefined) {
		const url = `${assetList.url}/${previewImageAssetId as string}`;
		const asset = await recordWithLink({ ...item, call: { method: 'GET', url } });
		body.videoPreviewImageUrl = asset.url;
	}
	return { ...item, call: { ...item.call, body } };
}

export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		action: 'Create video',
		description: 'Make a video of an avatar that speaks a script',
		routing: {
			request: { method: 'POST', url: '/v1/talkingphotos' },
			send: { paginate: true },
			operations: {
				pagination: send({
					fields,
					shapes: {
						avatarId: UUID,
						previewImageAssetId: UUID,
						videoPreviewImageUrl: HTTP_URL,
					},
					prepare: withPreviewImage,
					creates: { what: 'The video', lookFor: 'in the studio application' },
					timeout: 300_000,
				}),
			},
		},
	},
	fields,
};
