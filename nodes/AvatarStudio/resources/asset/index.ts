import type { Resource } from '../operation';

import { deleteAsset } from './delete';
import { download } from './download';
import { get } from './get';
import { getAll } from './getAll';
import { importFromUrl } from './importFromUrl';
import { update } from './update';
import { upload } from './upload';

export const asset: Resource = {
	option: { name: 'Asset', value: 'asset', description: 'Images, videos, audio and music' },
	operations: [getAll, get, upload, importFromUrl, download, update, deleteAsset],
};
