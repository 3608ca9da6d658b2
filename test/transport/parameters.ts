import type { INodeParameters } from 'n8n-workflow';

/** Parameters of the node as a saved workflow holds them. */

const picked = (value: string) => ({ __rl: true, mode: 'id', value });

/** The ID of the input item. */
export const OWN_ID = '={{ $json.id }}';
/** The text of the input item. */
export const OWN_SCRIPT = '={{ $json.script }}';
const VOICE = 'au-en-GB-ryan';
const AVATAR = '1f0e6f0a-53d5-4a0b-9d0b-6d0c3f6a2b11';

export const getAsset = (id = OWN_ID): INodeParameters => ({
	resource: 'asset',
	operation: 'get',
	assetId: picked(id),
});

export const renameAsset = (id = OWN_ID, name = 'New name'): INodeParameters => ({
	resource: 'asset',
	operation: 'update',
	assetId: picked(id),
	name,
});

export const deleteAsset = (id = OWN_ID): INodeParameters => ({
	resource: 'asset',
	operation: 'delete',
	assetId: picked(id),
});

export const downloadAsset = (id = OWN_ID): INodeParameters => ({
	resource: 'asset',
	operation: 'download',
	assetId: picked(id),
	binaryPropertyName: 'data',
});

export const importAsset = (fileUrl: string): INodeParameters => ({
	resource: 'asset',
	operation: 'importFromUrl',
	name: 'Portrait',
	fileUrl,
	type: 'Image',
});

/** Without a limit: Return All. */
export const getAssets = (limit?: number, options: INodeParameters = {}): INodeParameters => ({
	resource: 'asset',
	operation: 'getAll',
	...(limit === undefined ? { returnAll: true } : { returnAll: false, limit }),
	options,
});

export const getVoices = (limit?: number): INodeParameters => ({
	resource: 'voice',
	operation: 'getAll',
	query: '',
	...(limit === undefined ? { returnAll: true } : { returnAll: false, limit }),
	simplify: false,
});

export const createSpeech = (script = OWN_SCRIPT, voiceId = VOICE): INodeParameters => ({
	resource: 'speech',
	operation: 'create',
	voiceId: picked(voiceId),
	script,
});

export const createVideo = (videoTitle = 'Welcome', script = 'Good morning'): INodeParameters => ({
	resource: 'video',
	operation: 'create',
	videoTitle,
	script,
	avatarId: AVATAR,
	voiceId: picked(VOICE),
});

export const addApiKey = (): INodeParameters => ({
	resource: 'voice',
	operation: 'addApiKey',
	providerName: 'Aurora',
	serviceName: 'AuroraSpeech',
	encryptedKey: 'c2VjcmV0',
});

/** Input items with a script of their own each. */
export const scripts = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ json: { script: `Script ${index}` } }));

/** Input items with the IDs of records. */
export const withIds = (records: { id: string }[]) => records.map(({ id }) => ({ json: { id } }));

/** Request Options, Timeout. */
export const within = (timeout: number, parameters: INodeParameters): INodeParameters => ({
	...parameters,
	requestOptions: { timeout },
});
