import type { Field } from '../execution/parameters';
import { assetList } from '../resources/asset/asset';
import { ASSET_FILTERS } from '../resources/asset/assetFilters';
import { buildPageSize, firstPage } from '../resources/paging';
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
	...buildFilters(ASSET_FILTERS.map(({ field }) => field)),
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
		buildPageSize(assetList),
		{ ...optionalOutputFile, displayOptions: { show: { downloadFile: [true] } } },
	]),
	name: 'assetOptions',
	displayOptions: { show: { event: ['assetCreated'] } },
};

export const voiceFilters: Field = {
	...buildFilters([languageCode]),
	name: 'voiceFilters',
	displayOptions: { show: { event: ['voiceAdded'] } },
};

export const simplify: Field = {
	...simplifyVoices,
	displayOptions: { show: { event: ['voiceAdded'] } },
};
