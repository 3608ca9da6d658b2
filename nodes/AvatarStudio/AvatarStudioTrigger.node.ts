import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { testCredential } from './methods/credentialTest';
import { getVoiceLanguages } from './methods/loadVoiceOptions';
import { toProperty } from './resources/properties';
import { assetFilters, assetOptions, event, voiceFilters } from './trigger/fields';
import { poll } from './trigger/poll';

export class AvatarStudioTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Avatar Studio Trigger',
		name: 'avatarStudioTrigger',
		icon: { light: 'file:avatarStudio.svg', dark: 'file:avatarStudio.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"] === "voiceAdded" ? "New voice" : "New asset" }}',
		// n8n's node list shows this description for both nodes.
		description:
			'Create avatar videos and speech, manage assets, or start when an asset or a voice is added',
		defaults: { name: 'Avatar Studio Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'avatarStudioApi', required: true, testedBy: 'testCredential' }],
		properties: [event, assetFilters, voiceFilters, assetOptions].map((field) => toProperty(field)),
	};

	methods = {
		credentialTest: { testCredential },
		loadOptions: { getVoiceLanguages },
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
