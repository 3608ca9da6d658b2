import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetRateLimits } from '../../nodes/AvatarStudio/client/limiter/rateLimiters';
import { type Service, type ServiceOptions, startService } from '../../service/service';

import {
	callTool,
	getError,
	getErrorText,
	logLines,
	type Output,
	runNode,
	type RunOptions,
	startEngine,
	warnings,
} from './engine/engine';

export type Studio = ReturnType<typeof useStudio>;

/**
 * A stand-in for the service and the engine, for one test file. Starts both before its tests and
 * resets the stand-in after each of them. A test in which a request violates the contract fails,
 * unless it empties `service.requests` on purpose, and so
 * does one after which the node's log contains the key, a script or a title.
 */
export function useStudio(options: ServiceOptions = {}) {
	let service: Service;
	beforeAll(async () => {
		await startEngine();
		service = await startService(options);
	});
	afterEach(() => {
		// What the limiter learned in a test must not affect later ones.
		forgetRateLimits();
		const { violations } = service;
		const log = JSON.stringify(logLines.splice(0));
		const isLogged = (text: string) => log.includes(JSON.stringify(text).slice(1, -1));
		const leaked = [service.apiKey, ...listSentTexts(service)].filter(isLogged);
		service.reset();
		warnings.length = 0;
		expect(violations).toEqual([]);
		expect(leaked).toEqual([]);
	});
	afterAll(async () => await service.close());

	const getApiRequests = () => service.requests.filter(({ host }) => host === 'api');
	const getCredentials = (): ICredentialDataDecryptedObject => {
		return { baseUrl: service.url, apiKey: service.apiKey };
	};
	/** Runs the node and returns its error, for tests that need the output of a failed run as well. */
	const getOutcome = async (parameters: INodeParameters, runOptions: Partial<RunOptions> = {}) =>
		await runNode(parameters, { credentials: getCredentials(), ...runOptions });
	/** Runs the node against the stand-in; throws the error that ends the execution. */
	const run = async (...setup: Parameters<typeof getOutcome>): Promise<Output> => {
		const { error, ...output } = await getOutcome(...setup);
		// n8n passes on a copy of the error, which is not an Error any more.
		if (error) throw Object.assign(new Error(), error);
		return output;
	};

	return {
		get service() {
			return service;
		},
		get credentials() {
			return getCredentials();
		},
		run,
		getOutcome,
		/** Runs the node, which must fail; returns the error as the user reads it. */
		getFailure: async (...setup: Parameters<typeof getOutcome>) =>
			getErrorText(await getError(run(...setup))),
		/** Starts a run. `cancel` cancels it and waits for its end. */
		start: (...[parameters, runOptions]: Parameters<typeof getOutcome>) => {
			let cancel = () => {};
			const ended = getOutcome(parameters, {
				...runOptions,
				onStart: (run) => {
					cancel = () => run.cancel();
				},
			});
			return {
				cancel: async () => {
					cancel();
					return await ended;
				},
			};
		},
		/** Calls the node as an agent's tool against the stand-in. */
		call: async (
			parameters: INodeParameters,
			calls: IDataObject[],
			runOptions: Partial<RunOptions> = {},
		) => await callTool(parameters, calls, { credentials: getCredentials(), ...runOptions }),
		/** The requests that reached the API. */
		get apiRequests() {
			return getApiRequests();
		},
		/** The requests that reached the API as texts such as "GET /v1/assets". */
		getRoutes: () => getApiRequests().map(({ method, path }) => `${method} ${path}`),
	};
}

/** The scripts and titles of the recorded requests that are too long to be in a log by chance. */
function listSentTexts({ requests }: Service): string[] {
	const bodies = requests.map(({ body }) => body as IDataObject | undefined);
	const texts = bodies.flatMap((body) => [body?.script, body?.videoTitle]);
	return texts.filter((text) => typeof text === 'string').filter(({ length }) => length >= 8);
}
