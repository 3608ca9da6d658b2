import type { RecordedRequest } from '../../service/service';

import type { Studio } from './studio';

/** The requests that reached the API. */
export function getApiRequests({ service }: Studio): RecordedRequest[] {
	return service.requests.filter(({ host }) => host === 'api');
}

/** The request that reached the API; throws unless there is exactly one. */
export function getOnlyRequest(studio: Studio): RecordedRequest {
	const [request, ...others] = getApiRequests(studio);
	if (!request || others.length > 0) {
		throw new Error(`Expected one request, got: ${studio.getRoutes().join(', ') || 'none'}`);
	}
	return request;
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
