import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { testCredential } from './methods/credentialTest';
import { buildOptionLoaders } from './methods/optionLoaders';
import { buildListSearches } from './methods/pickers';
import { resources } from './resources';
import { ASSET_FILTERS } from './resources/asset/assetFilters';
import { collectionHint, describeLocators, ifNotAddedHint } from './resources/hints';
import { listFields } from './resources/operation';
import { buildProperties } from './resources/properties';

const FIELDS = listFields(resources);

export class AvatarStudio implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Avatar Studio',
		name: 'avatarStudio',
		icon: { light: 'file:avatarStudio.svg', dark: 'file:avatarStudio.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Create talking-avatar videos and speech, and manage avatars, voices and media assets',
		defaults: { name: 'Avatar Studio' },
		usableAsTool: {
			replacements: {
				description:
					'Create talking-avatar videos and speech from a script, and manage avatars, voices and media assets. Each new video or speech may cost credits, and a video takes minutes to be finished: call Video: Create once for each, and later Video: Get with its id until "finished" is true.',
			},
		},
		// Read by n8n's AI assistant, its agent builder and its MCP server.
		builderHint: {
			searchHint: [
				'Video: Create and Speech: Create turn a script into a talking-avatar video or into audio; every run creates a new one and may cost credits. options.dryRun returns the request instead of sending it.',
				'Video: Create waits until the video is finished, minutes later, and returns it with "finished" and the link to the file as fileUrl; options.downloadFile attaches the file. With waitUntilFinished false, as by default in a tool, it returns at once, and Video: Get looks the video up by its id.',
				'avatarId takes the ID or the exact name of an avatar that Avatar: Get Many lists, or in the mode "photo" the URL of a photo to speak; the ID of an asset is not one.',
				`A locator is an object: ${describeLocators(resources)}. It takes an ID or an exact name; voiceId in the mode "name" takes a language as well, if several voices share the name ("Ryan, en-GB"), and in the mode "language" a language ("en-GB").`,
				'Voice: Get Many lists what exists: filters.languageCode takes a code or a name (de, de-DE, German).',
				`Asset: Get Many has ${ASSET_FILTERS.map(({ field }) => `filters.${field.name}`).join(' and ')}. Assets have no date. Asset: Delete deletes one asset for each input item.`,
				`${collectionHint} ${ifNotAddedHint}`,
				'With On Error: Continue, an item that fails has error (all there is to read) and errorDetails: { message, nextStep, code, httpCode, mayExist }.',
			].join(' '),
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		// Not required: n8n would throw before our code runs, and with On Error: Continue pass the input
		// on as if it were the output, when the credential cannot be read
		// (findings/missing-credential-returns-the-input).
		credentials: [{ name: 'avatarStudioApi', testedBy: 'testCredential' }],
		// The credential sets the base URL: an expression here would be evaluated for every item.
		requestDefaults: {},
		properties: buildProperties(resources),
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: buildListSearches(FIELDS),
		loadOptions: buildOptionLoaders(FIELDS),
	};
}
