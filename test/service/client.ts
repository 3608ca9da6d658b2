import type { Service } from '../../service/service';

/** An answer as a caller sees it. */
export interface Answered {
	status: number;
	headers: Headers;
	text: string;
	/** The body read as JSON; undefined where it is none. */
	json: Json;
}

/** The fields of answers that tests look into. */
export interface Json {
	id: string;
	url: string;
	audioUrl: string;
	assets: { id: string; name: string }[];
	voices: { voiceId: string }[];
	detail: string;
	errors: Record<string, string[]>;
	violations: string[];
}

interface Extra {
	body?: unknown;
	headers?: Record<string, string>;
	signal?: AbortSignal;
}

/** Calls the API as the contract asks for it: key, accept, content type. */
export async function call(
	service: Pick<Service, 'url' | 'apiKey'>,
	method: string,
	path: string,
	{ body, headers, signal }: Extra = {},
): Promise<Answered> {
	const contentType = path.startsWith('/v1/speech') ? 'application/*+json' : 'application/json';
	const response = await fetch(service.url + path, {
		method,
		signal,
		redirect: 'manual',
		headers: {
			accept: 'application/json',
			'x-api-key': service.apiKey,
			...(body === undefined ? {} : { 'content-type': contentType }),
			...headers,
		},
		body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
	});
	return await answered(response);
}

/** Reads an answer to its end. */
export async function answered(response: Response): Promise<Answered> {
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, json: parsed(text) as Json };
}

/** The download link of an asset. */
export async function linkOf(service: Service, id: string): Promise<string> {
	const { json } = await call(service, 'GET', `/v1/assets/${id}`);
	return json.url;
}

/** A body for POST /v1/speech that the service accepts. */
export function speechBody(service: Service) {
	return { voiceId: service.voices[0]!.voiceId, script: 'Good morning to you' };
}

/** A body for POST /v1/talkingphotos with every field that the specification names. */
export function videoBody(service: Service) {
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

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
