import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { testCredential } from './methods/credentialTest';
import { buildOptionLoaders } from './methods/optionLoaders';
import { buildListSearches } from './methods/pickers';
import { collectionHint } from './resources/hints';
import { buildTriggerProperties, eventHint, FIELDS, occurrences, subtitle } from './trigger/events';
import { poll } from './trigger/poll';
import { POLL_TIMES_EXAMPLE } from './trigger/pollTime';

export class AvatarStudioTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Avatar Studio Trigger',
		name: 'avatarStudioTrigger',
		icon: { light: 'file:avatarStudio.svg', dark: 'file:avatarStudio.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle,
		// n8n's node list shows this description for both nodes (test/editor/nodeList.spec.ts), its AI
		// assistant for the trigger.
		description: `For talking-avatar videos, speech and media assets. The trigger starts a workflow when ${occurrences}.`,
		defaults: { name: 'Avatar Studio Trigger' },
		polling: true,
		builderHint: {
			searchHint: `Polls, and emits each record once when ${occurrences}: ${eventHint}. ${collectionHint} How often it polls: pollTimes ${POLL_TIMES_EXAMPLE}. It does not report that a video is finished: the service sends no events and has no list of videos.`,
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'avatarStudioApi', required: true, testedBy: 'testCredential' }],
		properties: buildTriggerProperties(),
	};

	methods = {
		credentialTest: { testCredential },
		listSearch: buildListSearches(FIELDS),
		loadOptions: buildOptionLoaders(FIELDS),
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this);
	}
}
