import { buildLocator, buildModes } from '../locator';

import { assetType } from './asset';

export const assetId = buildLocator(assetType, {
	description: 'The asset that the operation applies to. Its ID or its exact name will do.',
	...buildModes(assetType, 'Spring campaign intro'),
});
