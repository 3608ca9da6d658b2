import type { Field } from '../../transport/parameters';
import { operation } from '../operation';

const providerName: Field = {
	displayName: 'Provider Name',
	name: 'providerName',
	type: 'string',
	required: true,
	default: '',
	description: 'The voice provider the key is for, in the word the service has for it',
};

const serviceName: Field = {
	displayName: 'Service Name',
	name: 'serviceName',
	type: 'string',
	required: true,
	default: '',
	description: "The provider's service the key is for, in the word the service has for it",
};

const encryptedKey: Field = {
	displayName: 'Encrypted Key',
	name: 'encryptedKey',
	type: 'string',
	typeOptions: { password: true },
	required: true,
	default: '',
	description: "The provider's key, encrypted as the service asks for it. It is sent as it is.",
};

export const addApiKey = operation({
	name: 'Add API Key',
	value: 'addApiKey',
	action: 'Add API key of voice provider',
	description: 'Register your own key for a voice provider',
	route: 'POST /v1/voices/add-api-key',
	fields: [providerName, serviceName, encryptedKey],
	creates: { subject: 'The key', lookFor: 'in the studio application' },
});
