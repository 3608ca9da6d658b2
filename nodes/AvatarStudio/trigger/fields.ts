import { firstPage, pageSize } from '../resources/asset/pageFields';
import { optionalOutputFile } from '../resources/fields/outputFile';
import { languageField } from '../resources/voice/languageField';
import type { Field } from '../transport/parameters';

export const event: Field = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'New Asset',
			value: 'assetCreated',
			description: 'When an asset appears that was not there before',
		},
		{
			name: 'New Voice',
			value: 'voiceAdded',
			description: 'When a voice appears that was not there before',
		},
	],
	default: 'assetCreated',
};

export const nameContains: Field = {
	displayName: 'Name Contains',
	name: 'nameContains',
	type: 'string',
	default: '',
	placeholder: 'e.g. portrait',
	description: 'Only assets with this text in their name, in capital or small letters',
};

export const assetFilters: Field = {
	displayName: 'Filters',
	name: 'assetFilters',
	type: 'collection',
	placeholder: 'Add filter',
	displayOptions: { show: { event: ['assetCreated'] } },
	default: {},
	options: [
		{
			displayName: 'Kinds',
			name: 'kinds',
			type: 'multiOptions',
			options: [
				{ name: 'Audio', value: 'audio' },
				{ name: 'Image', value: 'image' },
				{ name: 'Music', value: 'music' },
				{ name: 'Video', value: 'video' },
			],
			default: [],
			description:
				'Only assets of these kinds. Where the service does not tell the kind, the file extension does; then music counts as audio.',
		},
		nameContains,
	],
};

export const voiceFilters: Field = {
	displayName: 'Filters',
	name: 'voiceFilters',
	type: 'collection',
	placeholder: 'Add filter',
	displayOptions: { show: { event: ['voiceAdded'] } },
	default: {},
	options: [languageField],
};

export const assetOptions: Field = {
	displayName: 'Options',
	name: 'assetOptions',
	type: 'collection',
	placeholder: 'Add option',
	displayOptions: { show: { event: ['assetCreated'] } },
	default: {},
	options: [
		{
			displayName: 'Download File',
			name: 'downloadFile',
			type: 'boolean',
			default: false,
			description: 'Whether to attach the file of each new asset',
		},
		firstPage,
		{
			displayName: 'Newest First',
			name: 'newestFirst',
			type: 'boolean',
			default: false,
			description:
				'Whether the service lists the newest assets first. Then a poll stops at the first page without a new asset, instead of reading the whole list.',
		},
		pageSize,
		{ ...optionalOutputFile, displayOptions: { show: { downloadFile: [true] } } },
	],
};
