import { deleteAsset } from './asset/delete';
import { download } from './asset/download';
import { get } from './asset/get';
import { getAll as getAssets } from './asset/getAll';
import { importFromUrl } from './asset/importFromUrl';
import { update } from './asset/update';
import { upload } from './asset/upload';
import type { Resource } from './operation';
import { create as createSpeech } from './speech/create';
import { create as createVideo } from './video/create';
import { addApiKey } from './voice/addApiKey';
import { getAll as getVoices } from './voice/getAll';

/** In the order in which the editor lists them. */
export const resources: Resource[] = [
	{
		option: { name: 'Video', value: 'video', description: 'Videos of an avatar speaking a script' },
		operations: [createVideo],
	},
	{
		option: {
			name: 'Speech',
			value: 'speech',
			description: 'Audio of a script, spoken by a voice',
		},
		operations: [createSpeech],
	},
	{
		option: { name: 'Voice', value: 'voice', description: 'Voices that can speak a script' },
		operations: [getVoices, addApiKey],
	},
	{
		option: { name: 'Asset', value: 'asset', description: 'Images, videos, audio and music' },
		operations: [getAssets, get, upload, importFromUrl, download, update, deleteAsset],
	},
];
