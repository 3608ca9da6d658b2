import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetRateLimits } from '../../nodes/AvatarStudio/client/limiter/rateLimiters';
import { type Service, type ServiceOptions, startService } from '../../service/service';

import {
	callTool,
	getError,
	getErrorText,
	type Outcome,
	type Output,
	runNode,
	type RunOptions,
	startEngine,
	warnings,
} from './engine/engine';

/** A stand-in for the service and the engine, for one test file. */
export interface Studio {
	readonly service: Service;
	readonly credentials: ICredentialDataDecryptedObject;
	/** Runs the node against the stand-in; throws the error that ends the execution. */
	run(parameters: INodeParameters, options?: Partial<RunOptions>): Promise<Output>;
	/** Runs the node, which must fail; returns the error as the user reads it. */
	getFailure(parameters: INodeParameters, options?: Partial<RunOptions>): Promise<string>;
	/** Runs it for a test in which either may happen, or that needs what a failed run returned. */
	getOutcome(parameters: INodeParameters, options?: Partial<RunOptions>): Promise<Outcome>;
	/** Starts a run that the test cancels. */
	start(
		parameters: INodeParameters,
		options?: Partial<RunOptions>,
	): { cancel: () => Promise<Outcome> };
	/** Calls the node as an agent's tool against the stand-in. */
	call(
		parameters: INodeParameters,
		calls: IDataObject[],
		options?: Partial<RunOptions>,
	): Promise<string[]>;
	/** The requests that reached the API, as "GET /v1/assets". */
	getRoutes(): string[];
}

/**
 * Starts both before the tests of a file and resets the stand-in after each of them. A test in
 * which a request violates the contract fails, unless it empties `service.requests` on purpose.
 */
export function useStudio(options: ServiceOptions = {}): Studio {
	let service: Service;
	beforeAll(async () => {
		await startEngine();
		service = await startService(options);
	});
	afterEach(() => {
		// What the limiter learned in a test must not affect later ones.
		forgetRateLimits();
		const violations = service.violations;
		service.reset();
		warnings.length = 0;
		expect(violations).toEqual([]);
	});
	afterAll(async () => await service.close());

	const studio: Studio = {
		get service() {
			return service;
		},
		get credentials() {
			return { baseUrl: service.url, apiKey: service.apiKey };
		},
		run: async (parameters, runOptions) => {
			const { error, ...output } = await studio.getOutcome(parameters, runOptions);
			// n8n passes on a copy of the error, which is not an Error any more.
			if (error) throw Object.assign(new Error(), error);
			return output;
		},
		getFailure: async (parameters, runOptions) =>
			getErrorText(await getError(studio.run(parameters, runOptions))),
		getOutcome: async (parameters, runOptions = {}) =>
			await runNode(parameters, { credentials: studio.credentials, ...runOptions }),
		start: (parameters, runOptions) => {
			let cancel!: () => void;
			const onStart: RunOptions['onStart'] = (run) => (cancel = () => run.cancel());
			const ended = studio.getOutcome(parameters, { ...runOptions, onStart });
			return {
				cancel: async () => {
					cancel();
					return await ended;
				},
			};
		},
		call: async (parameters, calls, runOptions = {}) =>
			await callTool(parameters, calls, { credentials: studio.credentials, ...runOptions }),
		getRoutes: () =>
			service.requests
				.filter(({ host }) => host === 'api')
				.map(({ method, path }) => `${method} ${path}`),
	};
	return studio;
}
