import { HTTP_URL } from '../formats';
import { buildCollection } from '../sharedFields';

/** What else a video can be given; what only clients of the API show says so. */
export const additionalFields = buildCollection(
	'Additional Fields',
	'additionalFields',
	'Add field',
	[
		{
			displayName: 'Background Color',
			name: 'backgroundColor',
			type: 'color',
			default: '#ffffff',
			placeholder: 'e.g. #ffffff',
			description: 'Color behind the avatar. Only known from clients of the API, not documented.',
		},
		{
			displayName: 'Background Image URL',
			name: 'backgroundImageUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/office.jpg',
			description:
				'URL of a picture to show behind the avatar. Only known from clients of the API, not documented.',
			format: HTTP_URL,
		},
		{
			displayName: 'Background Video URL',
			name: 'backgroundVideoUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.com/office.mp4',
			description:
				'URL of a video to show behind the avatar. Only known from clients of the API, not documented.',
			format: HTTP_URL,
		},
		{
			displayName: 'Callback URL',
			name: 'callbackUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://n8n.example.com/webhook-waiting/1',
			description:
				'URL that the service calls once the video is finished, such as {{ $execution.resumeUrl }} for a Wait node. Only known from clients of the API, so limit the wait, and look the video up afterwards.',
			format: HTTP_URL,
		},
		{
			displayName: 'Draft',
			name: 'draft',
			type: 'boolean',
			default: false,
			description:
				'Whether to create a draft, which is not rendered until you do that in the studio application',
		},
		{
			displayName: 'Dynamic',
			name: 'dynamic',
			type: 'boolean',
			default: true,
			description:
				'Whether to animate the avatar in high quality, which takes longer. Only known from clients of the API, not documented.',
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
			description:
				"Whether to show the whole photo, which is the service's default, or else crop it to the face",
		},
		{
			displayName: 'Height',
			name: 'videoHeight',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description: 'Height of the video in pixels',
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
			displayName: 'Speech Speed',
			name: 'speechSpeed',
			type: 'string',
			default: '',
			placeholder: 'e.g. 1.2',
			description: 'Speed of the voice, as the API names it. Only known from clients of the API.',
		},
		{
			displayName: 'Speech Volume',
			name: 'speechVolume',
			type: 'string',
			default: '',
			placeholder: 'e.g. 80',
			description: 'Volume of the voice, as the API names it. Only known from clients of the API.',
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
			description: 'Width of the video in pixels',
		},
	],
);
