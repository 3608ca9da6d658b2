import type { IAuthenticate, ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

import { ACCOUNT_FIELDS } from '../nodes/AvatarStudio/client/accountFields';
import { authenticate } from '../nodes/AvatarStudio/client/credential';

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
				'Address of the API. The fast branch has its own address and key: create a second credential for it.',
			hint: 'The API address you were given, without /v1',
		},
		...ACCOUNT_FIELDS.map(({ property }) => property),
		{
			// n8n adds this setting to every credential that does not declare it (n8n-workflow
			// 2.41.0, credential-domain-restrictions.js), and two of its values make n8n refuse the node's own requests.
			// `authenticate` is stricter than any of them.
			displayName: 'Allowed HTTP Request Domains',
			name: 'allowedHttpRequestDomains',
			type: 'hidden',
			default: 'all',
		},
	];

	// The type demands a promise, which an invalid credential rejects.
	authenticate: IAuthenticate = async (credentials, options) =>
		await Promise.resolve(authenticate(credentials, options));
}
