import type { Field } from '../execution/parameters';
import { kinds, nameContains } from '../resources/asset/assetFilters';
import { firstPage, pageSize } from '../resources/asset/fields';
import { buildFilters, buildOptions, optionalOutputFile } from '../resources/fields';
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
	...buildFilters([describeForTrigger(nameContains), describeForTrigger(kinds)]),
	name: 'assetFilters',
	displayOptions: { show: { event: ['assetCreated'] } },
};

export const voiceFilters: Field = {
	...buildFilters([describeForTrigger(languageCode)]),
	name: 'voiceFilters',
	displayOptions: { show: { event: ['voiceAdded'] } },
};

export const assetOptions: Field = {
	...buildOptions([
		{
			displayName: 'Download File',
			name: 'downloadFile',
			type: 'boolean',
			default: false,
			description: 'Whether to download the file of each new asset',
		},
		firstPage,
		{
			displayName: 'Newest First',
			name: 'newestFirst',
			type: 'boolean',
			default: false,
			description:
				'Whether the service lists the newest assets first. A poll then stops at the first page without a new asset instead of reading the whole list.',
		},
		pageSize,
		{ ...optionalOutputFile, displayOptions: { show: { downloadFile: [true] } } },
	]),
	name: 'assetOptions',
	displayOptions: { show: { event: ['assetCreated'] } },
};

function describeForTrigger(filter: Field): Field {
	const description = filter.description?.replace('Return only', 'Only trigger on');
	return { ...filter, description };
}
