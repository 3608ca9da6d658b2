import { operation } from '../operation';

export const addApiKey = operation({
	name: 'Add API Key',
	value: 'addApiKey',
	action: 'Add API key of voice provider',
	description: 'Register your own API key for a voice provider',
	route: 'POST /v1/voices/add-api-key',
	fields: [
		{
			displayName: 'Provider Name',
			name: 'providerName',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Aurora',
			description: 'Voice provider the key belongs to, as the API names it',
		},
		{
			displayName: 'Service Name',
			name: 'serviceName',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. AuroraSpeech',
			description: "The provider's service the key is for, as the API names it",
		},
		{
			displayName: 'Encrypted Key',
			name: 'encryptedKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			placeholder: 'e.g. c2VjcmV0LWtleQ==',
			description:
				"The provider's key, already encrypted as the API requires. It is sent unchanged.",
		},
	],
	createdName: 'The key',
	prepare: ({ parameters, request }) => {
		// The request of a dry run is shown, and saved with the execution.
		if (parameters.dryRun) request.body = { ...(request.body as object), encryptedKey: '…' };
	},
});
