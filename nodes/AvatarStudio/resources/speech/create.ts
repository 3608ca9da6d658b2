import { attachFiles } from '../../execution/attachFiles';
import { operation } from '../operation';
import { costNotice, creationOptions, script } from '../sharedFields';
import { voiceId } from '../voice/voiceId';

export const create = operation({
	name: 'Create',
	value: 'create',
	action: 'Create speech',
	description: 'Create speech audio from a script',
	route: 'POST /v1/speech',
	// Exactly this type: `service/openapi.yaml`, `createSpeech`.
	headers: { 'content-type': 'application/*+json' },
	fields: [costNotice, script, voiceId, creationOptions],
	createdName: 'The speech',
	isSpeech: true,
	afterCreation: attachFiles('audio'),
});
