import type { INodeParameters } from 'n8n-workflow';

/** A voice the stand-in has. */
export const VOICE = 'au-en-GB-ryan';
/** An ID of the right shape; the stand-in takes any for an avatar, and has no asset of it. */
export const SOME_ID = '123e4567-e89b-12d3-a456-426614174000';

/** What a resource locator holds once a person has picked something or entered an ID. */
export function locator(value: string, mode: 'list' | 'id' | 'name' | 'language' = 'id') {
	return { __rl: true as const, mode, value };
}

export const getAssets = operation('asset', 'getAll');
export const getAsset = onAsset('get');
export const uploadAsset = operation('asset', 'upload', { inputDataFieldName: 'data' });
export const updateAsset = onAsset('update');
export const deleteAsset = onAsset('delete');
export const downloadAsset = onAsset('download');
export const importAsset = operation('asset', 'importFromUrl', { name: 'Portrait' });
export const createSpeech = operation('speech', 'create', {
	voiceId: locator(VOICE),
	script: 'Hello there',
});
export const createVideo = operation('video', 'create', {
	videoTitle: 'Welcome',
	script: 'Hello there',
	avatarId: SOME_ID,
	voiceId: locator(VOICE),
});
export const getVoices = operation('voice', 'getAll');
export const addApiKey = operation('voice', 'addApiKey', {
	providerName: 'Aurora',
	serviceName: 'AuroraSpeech',
	encryptedKey: 'c2VjcmV0',
});

/** Makes the parameters of one operation, as the editor saves them, of those a test sets. */
function operation(resource: string, name: string, preset: INodeParameters = {}) {
	return (more: INodeParameters = {}): INodeParameters => ({
		resource,
		operation: name,
		...preset,
		...more,
	});
}

function onAsset(name: string) {
	return (id: string, more: INodeParameters = {}): INodeParameters =>
		operation('asset', name, { assetId: locator(id) })(more);
}
