import type { RecordedRequest } from '../../service/service';
import { errorText, type Outcome } from '../engine/engine';
import type { Studio } from '../engine/studio';

/** The requests that reached the API. */
export function apiRequests({ service }: Studio): RecordedRequest[] {
	return service.requests.filter(({ host }) => host === 'api');
}

/** The request that reached the API, of which there must be exactly one. */
export function onlyRequest(studio: Studio): RecordedRequest {
	const [request, ...others] = apiRequests(studio);
	if (!request || others.length > 0) {
		throw new Error(`Not one request, but these: ${studio.routes().join(', ') || 'none'}`);
	}
	return request;
}

/**
 * The words that end a run: n8n refuses some constants before the run starts, the node refuses
 * the rest.
 */
export async function refusal(run: Promise<Outcome>): Promise<string> {
	const { error } = await run.catch((thrown: Error) => ({ error: thrown }));
	return errorText(error);
}
