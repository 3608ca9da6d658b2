import type { RecordedRequest } from '../../service/service';

import type { Studio } from './studio';

/** The one request that reached the API. */
export function getOnlyRequest({ apiRequests, getRoutes }: Studio): RecordedRequest {
	expect(getRoutes()).toHaveLength(1);
	return apiRequests[0]!;
}

/**
 * Waits for prefetched pages that were not needed: some requests are still on their way to the
 * service when the node is done. A connection opened later is accepted later.
 */
export async function drainInFlight({ service }: Studio): Promise<void> {
	const response = await fetch(`${service.url}/v1/voices`, {
		headers: { accept: 'application/json', 'x-api-key': service.apiKey, connection: 'close' },
	});
	await response.arrayBuffer();
	await service.waitUntilIdle();
}
