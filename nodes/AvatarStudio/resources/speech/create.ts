import type { Field } from '../../execution/parameters';
import { requestItemsWithFile } from '../../execution/requestItemsWithFile';
import {
	buildOptions,
	customBody,
	downloadFileOption,
	linkField,
	optionalOutputFile,
	retryUnknownOutcome,
	script,
	waitForFile,
} from '../fields';
import { operation } from '../operation';
import { voiceId } from '../voice/voiceId';

const options = buildOptions([
	customBody,
	downloadFileOption,
	linkField,
	optionalOutputFile,
	retryUnknownOutcome,
	waitForFile,
]);

const speechNotice: Field = {
	displayName:
		'Every run creates new speech and may cost credits: pin the output while you build. To get the audio file, add Download File under Options as the last step: n8n cannot pin files.',
	name: 'speechNotice',
	type: 'notice',
	default: '',
};

export const create = operation({
	name: 'Create',
	value: 'create',
	action: 'Create speech',
	description: 'Create speech audio from a script',
	route: 'POST /v1/speech',
	// Exactly this type: `service/openapi.yaml`, `createSpeech`.
	contentType: 'application/*+json',
	fields: [speechNotice, script, voiceId, options],
	creates: { subject: 'The speech', lookFor: 'in the studio application' },
	execute: async (item) => await requestItemsWithFile(item, 'audio'),
});
