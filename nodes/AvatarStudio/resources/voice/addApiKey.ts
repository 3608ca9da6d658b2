import type { INodeProperties } from 'n8n-workflow';

import { send } from '../../transport/executeItem';
import type { Operation } from '../properties';

const providerName: INodeProperties = {
	displayName: 'Provider Name',
	name: 'providerName',
	type: 'string',
	required: true,
	default: '',
	description: 'The voice provider the key is for, in the word the service has for it',
};

const serviceName: INodeProperties = {
	displayName: 'Service Name',
	name: 'serviceName',
	type: 'string',
	required: true,
	default: '',
	description: "The provider's service the key is for, in the word the service has for it",
};

const encryptedKey: INodeProperties = {
	displayName: 'Encrypted Key',
	name: 'encryptedKey',
	type: 'string',
	typeOptions: { password: true },
	required: true,
	default: '',
	description: "The provider's key, encrypted as the service asks for it. It is sent as it is.",
};

const fields = [providerName, serviceName, encryptedKey];

export const addApiKey: Operation = {
	option: {
		name: 'Add API Key',
		value: 'addApiKey',
		action: 'Add API key of voice provider',
		description: 'Register your own key for a voice provider',
		routing: {
			request: { method: 'POST', url: '/v1/voices/add-api-key' },
			send: { paginate: true },
			operations: {
				pagination: send({
					fields,
					creates: { what: 'The key', lookFor: 'in the studio application' },
				}),
			},
		},
	},
	fields,
};
