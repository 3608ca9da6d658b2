import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../../transport/errors/requestError';
import { HTTP_URL } from '../../transport/formats';
import { requestItems } from '../../transport/item';
import type { Field } from '../../transport/parameters';
import { retryUnknownOutcome } from '../fields/retryUnknownOutcome';
import { operation } from '../operation';

import { linkNotice } from './linkNotice';
import { name } from './name';

const fileUrl: Field = {
	displayName: 'File URL',
	name: 'fileUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com/portrait.png',
	description: 'Where the service fetches the file from, so it must be reachable from the internet',
	format: HTTP_URL,
};

const type: Field = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: [
		{ name: 'Audio', value: 'Audio' },
		{ name: 'Custom', value: 'custom', description: 'A kind of asset this list lacks' },
		{ name: 'Image', value: 'Image' },
		{ name: 'Music', value: 'Music' },
		{ name: 'Video', value: 'Video' },
	],
	default: 'Image',
	description: 'What kind of asset the file is',
};

const customType: Field = {
	displayName: 'Custom Type',
	name: 'customType',
	type: 'string',
	displayOptions: { show: { type: ['custom'] } },
	default: '',
	placeholder: 'e.g. Assets',
	description: 'The kind of asset in the word the service has for it',
	isLocal: true,
};

const options: Field = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	isLocal: true,
	placeholder: 'Add option',
	default: {},
	options: [retryUnknownOutcome],
};

export const importFromUrl = operation({
	name: 'Import From URL',
	value: 'importFromUrl',
	action: 'Import asset from URL',
	description: 'Have the service fetch a file from the internet and keep it as an asset',
	route: 'POST /v1/assets/import/url',
	fields: [name, fileUrl, type, customType, options, linkNotice],
	creates: { subject: 'The asset', lookFor: 'among the assets (Asset: Get Many)' },
	execute: async ({ parameters, request, ...item }) => {
		const body = { ...(request.body as IDataObject), type: resolveType(parameters) };
		return await requestItems({ ...item, parameters, request: { ...request, body } });
	},
});

/**
 * Custom Type is required when it is shown. It cannot be marked as required: n8n would then also
 * demand it if Type is an expression.
 */
function resolveType({ type, customType: custom }: IDataObject): IDataObject[string] {
	if (type !== 'custom') return type;
	if (custom !== undefined) return custom;
	throw new RequestError({ message: 'Custom Type is empty', hint: 'Enter a value.' });
}
