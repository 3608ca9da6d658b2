import type { Field } from '../execution/parameters';
import { firstPage, pageSize } from '../resources/asset/assetFields';
import { kinds, nameContains } from '../resources/asset/assetFilters';
import { buildFilters, buildOptions, optionalOutputFile } from '../resources/sharedFields';
import { simplify as simplifyVoices } from '../resources/voice/getAll';
import { languageCode } from '../resources/voice/voiceFilters';

export const event: Field = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'New Asset',
			value: 'assetCreated',
			description: 'Triggers when an asset is added to the account',
		},
		{
			name: 'New Voice',
			value: 'voiceAdded',
			description: 'Triggers when a voice becomes available',
		},
	],
	default: 'assetCreated',
};

export const assetFilters: Field = {
	...buildFilters([
		{
			...nameContains,
			description:
				'Only trigger on assets with this text in their name, not case-sensitive; "Bar" also finds "Bär".',
		},
		{
			...kinds,
			description:
				'Only trigger on assets of these types. If the service sends no such type, the file extension decides, which does not tell music from other audio: Audio and Music then both include it. Assets of unknown type are emitted as well.',
		},
	]),
	name: 'assetFilters',
	displayOptions: { show: { event: ['assetCreated'] } },
};

export const assetOptions: Field = {
	...buildOptions([
		{
			displayName: 'Download File',
			name: 'downloadFile',
			type: 'boolean',
			default: true,
			description: 'Whether to download the file of each new asset',
		},
		firstPage,
		{
			displayName: 'Newest First',
			name: 'newestFirst',
			type: 'boolean',
			default: false,
			description:
				'Whether the service lists the newest assets first. A poll then stops at the first page without a new asset. Turn this on only if that is so: new assets on later pages are not found.',
		},
		pageSize,
		{ ...optionalOutputFile, displayOptions: { show: { downloadFile: [true] } } },
	]),
	name: 'assetOptions',
	displayOptions: { show: { event: ['assetCreated'] } },
};

export const voiceFilters: Field = {
	...buildFilters([
		{
			...languageCode,
			description:
				'Only trigger on voices with this language. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
	]),
	name: 'voiceFilters',
	displayOptions: { show: { event: ['voiceAdded'] } },
};

export const simplify: Field = {
	...simplifyVoices,
	displayOptions: { show: { event: ['voiceAdded'] } },
};
