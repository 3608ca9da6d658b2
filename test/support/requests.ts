import type { RecordedRequest } from '../../service/service';

import type { Studio } from './studio';

/** The one request that reached the API. */
export function getOnlyRequest({ apiRequests, getRoutes }: Studio): RecordedRequest {
	expect(getRoutes()).toHaveLength(1);
	return apiRequests[0]!;
}

/**
 * Waits until the service has responded to every request. The node prefetches pages, so requests may
 * still be on their way when it is done. The service accepts connections in the order in which they
 * are opened, so once it has responded on a new one, it has accepted those before.
 */
export async function drainInFlight({ service }: Studio): Promise<void> {
	const response = await fetch(`${service.url}/v1/voices`, {
		headers: { accept: 'application/json', 'x-api-key': service.apiKey, connection: 'close' },
	});
	await response.arrayBuffer();
	await service.waitUntilIdle();
}
