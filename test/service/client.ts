import { startService, type Service, type ServiceOptions } from '../../service/service';

/** A response as received by a client. */
export interface ClientResponse {
	status: number;
	headers: Headers;
	/** The parsed JSON body; undefined if it is not JSON. */
	json: { url: string; violations: string[] };
}

/** What a request may have besides its method and path. */
export interface RequestOptions {
	body?: unknown;
	headers?: Record<string, string>;
}

/** Starts the service for the tests of a file, and resets it before each of them. */
export function useService(options: ServiceOptions = {}): { readonly service: Service } {
	let service: Service;
	beforeAll(async () => {
		service = await startService(options);
	});
	beforeEach(() => service.reset());
	afterAll(() => service.close());
	return {
		get service() {
			return service;
		},
	};
}

/** Sends a request to the API with the headers that `service/openapi.yaml` requires. */
export async function call(
	{ url, apiKey }: Pick<Service, 'url' | 'apiKey'>,
	method: string,
	path: string,
	{ body, headers }: RequestOptions = {},
): Promise<ClientResponse> {
	const contentType = path.startsWith('/v1/speech') ? 'application/*+json' : 'application/json';
	const response = await fetch(url + path, {
		method,
		redirect: 'manual',
		headers: {
			accept: 'application/json',
			'x-api-key': apiKey,
			...(body === undefined ? {} : { 'content-type': contentType }),
			...headers,
		},
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
	});
	const json = (await response.json().catch(() => undefined)) as ClientResponse['json'];
	return { status: response.status, headers: response.headers, json };
}

/** The download link of an asset. */
export async function getLink(service: Service, id = service.assets[0]!.id): Promise<string> {
	return (await call(service, 'GET', `/v1/assets/${id}`)).json.url;
}

/** Creates a video with every documented field. */
export async function createVideo(service: Service): Promise<ClientResponse> {
	const body = {
		videoTitle: 'Welcome',
		script: 'Good morning to you',
		videoWidth: 0,
		videoHeight: 0,
		videoFormat: 'mp4',
		fullFrame: true,
		status: 'draft',
		visibility: 'private',
		avatarId: '1f0e6f0a-53d5-4a0b-9d0b-6d0c3f6a2b11',
		voiceId: service.voices[0]!.voiceId,
		draft: false,
		videoPreviewImageUrl: 'https://example.com/preview.png',
	};
	return await call(service, 'POST', '/v1/talkingphotos', { body });
}
