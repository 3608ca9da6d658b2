import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { RequestError } from '../../transport/errors/requestError';
import { send } from '../../transport/executeItem';
import { HTTP_URL } from '../../transport/parameters';
import type { Operation } from '../properties';

import { linkNotice } from './linkNotice';
import { name } from './name';

const fileUrl: INodeProperties = {
	displayName: 'File URL',
	name: 'fileUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com/portrait.png',
	description: 'Where the service fetches the file from, so it must be reachable from the internet',
};

const type: INodeProperties = {
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

const customType: INodeProperties = {
	displayName: 'Custom Type',
	name: 'customType',
	type: 'string',
	displayOptions: { show: { type: ['custom'] } },
	default: '',
	placeholder: 'e.g. Assets',
	description: 'The kind of asset in the word the service has for it',
};

/** Custom Type is required where it shows; n8n would require it of a Type out of an expression too. */
function withType({ customType: custom, ...body }: IDataObject): IDataObject {
	if (body.type !== 'custom') return body;
	if (custom !== undefined) return { ...body, type: custom };
	throw new RequestError({ message: 'Custom Type is empty', hint: 'Enter a value.' });
}

const fields = [name, fileUrl, type, customType];

export const importFromUrl: Operation = {
	option: {
		name: 'Import From URL',
		value: 'importFromUrl',
		action: 'Import asset from URL',
		description: 'Have the service fetch a file from the internet and keep it as an asset',
		routing: {
			request: { method: 'POST', url: '/v1/assets/import/url' },
			send: { paginate: true },
			operations: {
				pagination: send({
					fields,
					shapes: { fileUrl: HTTP_URL },
					body: withType,
					creates: { what: 'The asset', lookFor: 'among the assets (Asset: Get Many)' },
					timeout: 300_000,
				}),
			},
		},
	},
	fields: [...fields, linkNotice],
};
