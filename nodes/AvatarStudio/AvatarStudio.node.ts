import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { testCredential } from './methods/credentialTest';
import { getVoiceLanguages, getVoiceProviders } from './methods/loadVoiceOptions';
import { searchAssets } from './methods/searchAssets';
import { searchVoices } from './methods/searchVoices';
import { asset } from './resources/asset';
import { buildProperties } from './resources/properties';
import { speech } from './resources/speech';
import { video } from './resources/video';
import { voice } from './resources/voice';

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
		properties: buildProperties([video, speech, voice, asset]),
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: { searchAssets, searchVoices },
		loadOptions: { getVoiceLanguages, getVoiceProviders },
	};
}
