import { startService, type Asset, type Service } from '../../service/service';
import { createUuid } from '../../service/uuids';
import type { Fixtures } from '../cases/task';

const ASSET_COUNT = 1_000;

/** The conditions of one run. */
export interface Conditions {
	latencyMs: number;
	/** Number of assets in the list. */
	assetCount?: number;
}

/** The requests that reached the service in one run. */
export interface Traffic {
	requests: number;
	violations: number;
}

let service: Service;
let assets: Asset[];

/** Starts the stand-in in its own process, so that its CPU time counts for no contender. */
export async function start(fileBytes: number): Promise<Fixtures> {
	service = await startService({ speechResponse: 'empty' });
	const largeAsset: Asset = {
		id: createUuid('bench file'),
		name: 'Large video',
		type: 'Video',
		extension: '.mp4',
		size: fileBytes,
	};
	service.assets = [];
	assets = [...service.addAssets(ASSET_COUNT), largeAsset];
	return {
		baseUrl: service.url,
		apiKey: service.apiKey,
		assetIds: assets.slice(0, ASSET_COUNT).map(({ id }) => id),
		voiceId: service.voices[0]!.voiceId,
		largeAssetId: largeAsset.id,
	};
}

/** Resets the service for a run. */
export async function prepare({ latencyMs, assetCount }: Conditions): Promise<void> {
	// Prefetched pages of the previous run may still be in flight.
	await service.waitUntilIdle();
	service.reset();
	service.assets = assetCount === undefined ? assets : [];
	if (assetCount !== undefined) service.addAssets(assetCount);
	service.configure({ latencyMs });
}

/** Reports the requests since `prepare`. */
export async function readTraffic(): Promise<Traffic> {
	return await Promise.resolve({
		requests: service.requests.length,
		violations: service.violations.length,
	});
}
