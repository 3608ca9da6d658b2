import { buildOptions } from '../fields/collections';
import { customBody } from '../fields/customBody';
import { downloadFile, linkField, requestItemsWithFile } from '../fields/downloadFile';
import { optionalOutputFile } from '../fields/outputFile';
import { retryUnknownOutcome } from '../fields/retryUnknownOutcome';
import { script } from '../fields/script';
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
