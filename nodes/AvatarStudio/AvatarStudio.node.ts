import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { testCredential } from './methods/credentialTest';
import { getVoiceLanguages, getVoiceProviders } from './methods/loadVoiceOptions';
import { buildListSearches } from './methods/pickers';
import { resources } from './resources';
import { ASSET_FILTERS } from './resources/asset/assetFilters';
import { buildProperties } from './resources/properties';

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
		usableAsTool: {
			replacements: {
				description:
					'Create talking-avatar videos and speech from a script, and manage voices and media assets. Each new video or speech may cost credits, and the response may arrive before it is finished, so call Create once for each and do not wait for the file.',
			},
		},
		// Read by n8n's AI assistant, its agent builder and its MCP server.
		builderHint: {
			searchHint: [
				'Video: Create and Speech: Create turn a script into a talking-avatar video or into audio; every run creates a new one and may cost credits. options.dryRun returns the request instead of sending it.',
				'The output is what the service responds, with the link to the file as fileUrl if there is exactly one. No operation looks up the status of a video: options.downloadFile attaches the file if the response contains a link, otherwise it is found in the studio application.',
				'avatarId must come from the user: no operation lists avatars, and the ID of an asset is not one.',
				'voiceId and assetId take an ID or an exact name. voiceId in the mode "name" takes a name and, if several voices share it, a language ("Ryan, en-GB"), in the mode "language" a language ("en-GB").',
				'Voice: Get Many lists what exists: filters.languageCode takes a code or a name (de, de-DE, German).',
				`Asset: Get Many has ${ASSET_FILTERS.map(({ field }) => `filters.${field.name}`).join(' and ')}.`,
				'With On Error: Continue, an item that fails has error (all there is to read) and errorDetails: { message, nextStep, code, httpCode, mayExist }.',
			].join(' '),
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// Not required: n8n would throw before our code runs, and with On Error: Continue pass the input
		// on as if it were the output, when the credential cannot be read.
		credentials: [{ name: 'avatarStudioApi', testedBy: 'testCredential' }],
		// The credential sets the base URL: an expression here would be evaluated for every item.
		requestDefaults: {},
		properties: buildProperties(resources),
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: buildListSearches(resources),
		loadOptions: { getVoiceLanguages, getVoiceProviders },
	};
}
