import { attachFiles } from '../../execution/attachFiles';
import { operation } from '../operation';
import { buildCreationOptions, costNotice, script } from '../sharedFields';
import { voiceId } from '../voice/voiceId';

export const create = operation({
	name: 'Create',
	value: 'create',
	action: 'Create speech',
	description: 'Create speech audio from a script',
	route: 'POST /v1/speech',
	// Exactly this type: `service/openapi.yaml`, `createSpeech`. Prism, as a stand-in for the
	// service, refuses it (findings/prism-takes-the-range-for-a-type).
	headers: { 'content-type': 'application/*+json' },
	fields: [costNotice, script, voiceId, buildCreationOptions('audio')],
	createdName: 'The speech',
	fileKind: 'audio',
	afterCreation: attachFiles,
});
