import type { IAuthenticate, ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import { authenticateForN8n } from '../nodes/AvatarStudio/transport/request/authenticate';

export class AvatarStudioApi implements ICredentialType {
	name = 'avatarStudioApi';

	displayName = 'Avatar Studio API';

	icon: Icon = {
		light: 'file:../nodes/AvatarStudio/avatarStudio.svg',
		dark: 'file:../nodes/AvatarStudio/avatarStudio.dark.svg',
	};

	documentationUrl = 'https://github.com/avatar-studio-nodes/n8n-nodes-avatar-studio#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://api.example.com',
			description:
				'The address of the service, without /v1. The fast branch has an address and a key of its own: make a second credential for it.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Created in your profile in the studio application, or given by the support team of the service',
		},
	];

	authenticate: IAuthenticate = authenticateForN8n;
}
