import type { Studio } from '../engine/studio';

/**
 * Waits for the pages that were asked for ahead and not needed in the end: some of them are
 * still on their way to the service when the node is done. What connects later arrives later.
 */
export async function stragglers({ service }: Studio): Promise<void> {
	const response = await fetch(`${service.url}/v1/voices`, {
		headers: { accept: 'application/json', 'x-api-key': service.apiKey },
	});
	await response.arrayBuffer();
	await service.waitUntilIdle();
}
