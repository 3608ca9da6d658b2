import { startService, type Service, type ServiceOptions } from '../../service/service';

/** A response as received by a client. */
export interface ClientResponse {
	status: number;
	headers: Headers;
	text: string;
	/** The parsed JSON body; undefined if it is not JSON. */
	json: Json;
}

/** The response fields that tests look at. */
export interface Json {
	id: string;
	url: string;
	audioUrl: string;
	assets: { id: string; name: string }[];
	voices: { voiceId: string; audioSampleUrl: string | null }[];
	detail: string;
	errors: Record<string, string[]>;
	violations: string[];
}

/** What a request may have besides its method and path. */
export interface RequestOptions {
	body?: unknown;
	headers?: Record<string, string>;
	signal?: AbortSignal;
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
	{ body, headers, signal }: RequestOptions = {},
): Promise<ClientResponse> {
	const contentType = path.startsWith('/v1/speech') ? 'application/*+json' : 'application/json';
	const response = await fetch(url + path, {
		method,
		signal,
		redirect: 'manual',
		headers: {
			accept: 'application/json',
			'x-api-key': apiKey,
			...(body === undefined ? {} : { 'content-type': contentType }),
			...headers,
		},
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
	});
	return await readResponse(response);
}

/** Reads a whole response. */
export async function readResponse(response: Response): Promise<ClientResponse> {
	const text = await response.text();
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch {
		json = undefined;
	}
	return { status: response.status, headers: response.headers, text, json: json as Json };
}

/** Fetches a download link. */
export async function download(link: string, options?: RequestInit): Promise<Buffer> {
	return Buffer.from(await (await fetch(link, options)).arrayBuffer());
}

/** The download link of an asset. */
export async function getLink(service: Service, id = service.assets[0]!.id): Promise<string> {
	return (await call(service, 'GET', `/v1/assets/${id}`)).json.url;
}

/** A valid body for POST /v1/speech. */
export function createSpeechBody(service: Service) {
	return { voiceId: service.voices[0]!.voiceId, script: 'Good morning to you' };
}

/** A body for POST /v1/talkingphotos with every documented field. */
export function createVideoBody(service: Service) {
	return {
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
}

/** Creates a speech. */
export async function createSpeech(
	service: Service,
	changes: object = {},
): Promise<ClientResponse> {
	return await call(service, 'POST', '/v1/speech', {
		body: { ...createSpeechBody(service), ...changes },
	});
}

/** Creates a video. */
export async function createVideo(service: Service, changes: object = {}): Promise<ClientResponse> {
	return await call(service, 'POST', '/v1/talkingphotos', {
		body: { ...createVideoBody(service), ...changes },
	});
}
