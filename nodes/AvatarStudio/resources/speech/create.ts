import { requestItemsWithFile } from '../../execution/attachFile';
import {
	buildOptions,
	customBody,
	downloadFile,
	linkField,
	optionalOutputFile,
	retryUnknownOutcome,
	script,
} from '../fields';
import { operation } from '../operation';
import { voiceId } from '../voice/voiceId';

const options = buildOptions([
	customBody,
	downloadFile,
	linkField,
	optionalOutputFile,
	retryUnknownOutcome,
]);

export const create = operation({
	name: 'Create',
	value: 'create',
	action: 'Create speech',
	description: 'Create speech audio from a script',
	route: 'POST /v1/speech',
	// Exactly this type: `service/openapi.yaml`, `createSpeech`.
	contentType: 'application/*+json',
	fields: [script, voiceId, options],
	creates: { subject: 'The speech', lookFor: 'in the studio application' },
	execute: requestItemsWithFile,
});
