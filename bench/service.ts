import { startService, type Asset, type Service } from '../service/service';
import { createUuid } from '../service/uuids';

import type { Subject } from './job';

const ASSETS = 1_000;

/** What reached the service since it was last set back. */
export interface Counts {
	requests: number;
	connections: number;
	peakInFlight: number;
	violations: number;
}

let service: Service;
let assets: Asset[];

/** The stand-in as a process of its own: what it takes does not count for any contender. */
export const answers = {
	start,
	ready,
	counts: async () =>
		await Promise.resolve<Counts>({
			requests: service.requests.length,
			connections: service.connections,
			peakInFlight: service.peakInFlight,
			violations: service.violations.length,
		}),
};

export type ServiceAnswers = typeof answers;

async function start(fileBytes: number): Promise<Subject> {
	service = await startService({ speechResponse: 'empty' });
	const file: Asset = {
		id: createUuid('bench file'),
		name: 'Large video',
		type: 'Video',
		extension: '.mp4',
		size: fileBytes,
	};
	const { voiceId } = service.voices[0]!;
	service.assets = [];
	assets = [...service.addAssets(ASSETS), file];
	return {
		url: service.url,
		apiKey: service.apiKey,
		assetIds: assets.slice(0, ASSETS).map(({ id }) => id),
		voiceId,
		fileAssetId: file.id,
	};
}

/** Sets everything back for a job. */
async function ready(latencyMs: number, assetsToList?: number): Promise<void> {
	// Pages asked for ahead may still be on their way.
	await service.waitUntilIdle();
	service.reset();
	service.assets = assets;
	if (assetsToList !== undefined) {
		service.assets = [];
		service.addAssets(assetsToList);
	}
	service.configure({ latencyMs });
}
