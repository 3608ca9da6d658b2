import type { INodeParameters } from 'n8n-workflow';

import type { RunOptions } from './engine/engine';

/** The ID of a voice in the stand-in. */
export const VOICE = 'au-en-GB-ryan';
/** A valid ID; the stand-in accepts it for an avatar and has no asset with it. */
export const SOME_ID = '123e4567-e89b-12d3-a456-426614174000';
export const ITEM_ID = '={{ $json.id }}';
export const ITEM_SCRIPT = '={{ $json.script }}';

/** Run options of a node with On Error set to Continue. */
export const CONTINUE = { settings: { onError: 'continueRegularOutput' } } as const;
/** The settings of a node that makes up to three attempts, one after the other. */
export const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** The value of a resource locator after a user selected an entry or entered an ID. */
export function createLocator(
	value: string,
	mode: 'list' | 'id' | 'name' | 'language' | 'photo' = 'id',
) {
	return { __rl: true as const, mode, value };
}

/** The value of a resource locator after a user picked an entry from its list. */
export const pick = (value: string) => ({
	...createLocator(value, 'list'),
	cachedResultName: value,
});

export const getAssets = createParameters('asset', 'getAll');
export const getAllAssets = (options: INodeParameters = {}): INodeParameters =>
	getAssets({ returnAll: true, options });
export const getAsset = forAsset('get');
export const uploadAsset = createParameters('asset', 'upload', { binaryPropertyName: 'data' });
export const updateAsset = forAsset('update', { name: 'New name' });
export const deleteAsset = forAsset('delete');
export const downloadAsset = forAsset('download');
export const importAsset = createParameters('asset', 'importFromUrl', {
	name: 'Portrait',
	type: 'Image',
});
export const createSpeech = createParameters('speech', 'create', {
	voiceId: createLocator(VOICE),
	script: 'Hello there',
});
export const createVideo = createParameters('video', 'create', {
	videoTitle: 'Welcome',
	script: 'Hello there',
	avatarId: SOME_ID,
	voiceId: createLocator(VOICE),
	// Most tests are about the request or the response; those of waiting turn this on.
	waitUntilFinished: false,
});
/** Creates a video and waits until it is finished, as the editor's defaults do. */
export const createFinishedVideo = (more: INodeParameters = {}): INodeParameters =>
	createVideo({ waitUntilFinished: true, ...more });
export const getVideo = createParameters('video', 'get', { videoId: ITEM_ID });
export const createFastVideo = createParameters('video', 'createFast', {
	script: 'Hello there',
	avatarId: createLocator(SOME_ID),
	voiceId: pick('en-GB-RyanNeural'),
});
export const getAvatars = createParameters('avatar', 'getAll');
export const getVoices = createParameters('voice', 'getAll');
export const addApiKey = createParameters('voice', 'addApiKey', {
	providerName: 'Aurora',
	serviceName: 'AuroraSpeech',
	encryptedKey: 'c2VjcmV0',
});

/** Completes the parameters that a test sets to those of an operation, as the editor saves them. */
function createParameters(resource: string, name: string, preset: INodeParameters = {}) {
	const fixed = { resource, operation: name, ...preset };
	return (more: INodeParameters = {}): INodeParameters => ({ ...fixed, ...more });
}

function forAsset(name: string, preset: INodeParameters = {}) {
	return (id = ITEM_ID, more: INodeParameters = {}): INodeParameters =>
		createParameters('asset', name, { assetId: createLocator(id), ...preset })(more);
}

/** Input items with one script each: "Script 0", "Script 1" … */
export function createScriptItems(count: number) {
	return Array.from({ length: count }, (_, index) => ({ json: { script: `Script ${index}` } }));
}

/** What `studio.run` takes to create a speech for each of so many items. */
export function createSpeeches(
	count: number,
	options: Partial<RunOptions> = {},
): [INodeParameters, Partial<RunOptions>] {
	return [createSpeech({ script: ITEM_SCRIPT }), { items: createScriptItems(count), ...options }];
}

export function createIdItems(records: { id: string }[]) {
	return records.map(({ id }) => ({ json: { id } }));
}

/** Sets Timeout under Request Options. */
export function withTimeout(timeout: number, parameters: INodeParameters): INodeParameters {
	return { ...parameters, requestOptions: { timeout } };
}
