import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { testCredential } from './methods/credentialTest';
import { getVoiceLanguages, getVoiceProviders } from './methods/loadVoiceOptions';
import { searchAssets } from './methods/searchAssets';
import { searchVoices } from './methods/searchVoices';
import { properties } from './resources';

export class AvatarStudio implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Avatar Studio',
		name: 'avatarStudio',
		icon: { light: 'file:avatarStudio.svg', dark: 'file:avatarStudio.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Create talking-avatar videos and speech, and manage voices and media assets',
		defaults: { name: 'Avatar Studio' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'avatarStudioApi', required: true, testedBy: 'testCredential' }],
		// The credential sets the base URL: an expression here would be evaluated for every item.
		requestDefaults: {},
		properties,
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: { searchAssets, searchVoices },
		loadOptions: { getVoiceLanguages, getVoiceProviders },
	};
}
