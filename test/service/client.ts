import { startService, type Service, type ServiceOptions } from '../../service/service';

/** What a request may have besides its method and path. */
export interface RequestOptions {
	body?: unknown;
	headers?: Record<string, string>;
}

/** Starts the service for the tests of a file, and resets it before each of them. */
export function useService(options: ServiceOptions = {}) {
	let service: Service;
	beforeAll(async () => {
		service = await startService(options);
	});
	beforeEach(() => service.reset());
	afterAll(async () => await service.close());

	/** Sends a request to the API with the headers that `service/openapi.yaml` requires. */
	async function call(method: string, path: string, { body, headers }: RequestOptions = {}) {
		const contentType = path === '/v1/speech' ? 'application/*+json' : 'application/json';
		const response = await fetch(service.url + path, {
			method,
			headers: {
				accept: 'application/json',
				'x-api-key': service.apiKey,
				...(body === undefined ? {} : { 'content-type': contentType }),
				...headers,
			},
			body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
		});
		const json: unknown = await response.json().catch(() => undefined);
		return { status: response.status, headers: response.headers, json };
	}

	return {
		get service() {
			return service;
		},
		call,
	};
}
