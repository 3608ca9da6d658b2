import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetLists } from '../../nodes/AvatarStudio/client/knownLists';
import { forgetRateLimits } from '../../nodes/AvatarStudio/client/limiter/rateLimiters';
import { forgetRenderTimes } from '../../nodes/AvatarStudio/execution/renderTimes';
import { forgetLookUps } from '../../nodes/AvatarStudio/resources/video/lookUp';
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
import type { Credentials } from './engine/parts';

export type Studio = ReturnType<typeof useStudio>;

/**
 * A stand-in for the service and the engine, for one test file: as the specification alone says, or
 * with `asSpecified: false` as its public clients know it. Starts both before its tests and
 * resets the stand-in after each of them. A test in which a request violates the contract fails,
 * unless it empties `service.requests` on purpose, and so does one after which the node's log
 * contains the key, a script or a title.
 */
export function useStudio(options: ServiceOptions = {}) {
	let service: Service;
	beforeAll(async () => {
		await startEngine();
		service = await startService({ asSpecified: true, ...options });
	});
	afterEach(() => resetStudio(service));
	afterAll(async () => await service.close());

	const getCredentials = (): Credentials => ({ baseUrl: service.url, apiKey: service.apiKey });
	const getApiRequests = () => service.requests.filter(({ host }) => host === 'api');
	return {
		get service() {
			return service;
		},
		get credentials() {
			return getCredentials();
		},
		/** The requests that reached the API. */
		get apiRequests() {
			return getApiRequests();
		},
		/** The requests that reached the API as texts such as "GET /v1/assets". */
		getRoutes: () => getApiRequests().map(({ method, path }) => `${method} ${path}`),
		...buildRuns(getCredentials),
	};
}

/** Fails a test that broke a rule which holds for all of them, and prepares for the next one. */
function resetStudio(service: Service): void {
	// What the node learned in a test must not affect later ones.
	forgetRateLimits();
	forgetLists();
	forgetRenderTimes();
	forgetLookUps();
	const { violations } = service;
	const log = JSON.stringify(logLines.splice(0));
	const isLogged = (text: string) => log.includes(JSON.stringify(text).slice(1, -1));
	const leaked = [service.apiKey, service.fastApiKey, ...listSentTexts(service)].filter(isLogged);
	service.reset();
	warnings.length = 0;
	expect(violations).toEqual([]);
	expect(leaked).toEqual([]);
}

/** The ways to run the node against the stand-in. */
function buildRuns(getCredentials: () => Credentials) {
	type Setup = [parameters: INodeParameters, options?: Partial<RunOptions>];
	/** Runs the node and returns its error, for tests that need the output of a failed run as well. */
	const getOutcome = async (...[parameters, options]: Setup) =>
		await runNode(parameters, { credentials: getCredentials(), ...options });
	/** Runs the node; throws the error that ends the execution. */
	const run = async (...setup: Setup): Promise<Output> => {
		const { error, ...output } = await getOutcome(...setup);
		// n8n passes on a copy of the error, which is not an Error any more.
		if (error) throw Object.assign(new Error(), error);
		return output;
	};
	return {
		run,
		getOutcome,
		/** Runs the node, which must fail; returns the error as the user reads it. */
		getFailure: async (...setup: Setup) => getErrorText(await getError(run(...setup))),
		/** Starts a run. `cancel` cancels it and waits for its end. */
		start: (...[parameters, options]: Setup) => {
			let started: { cancel: () => void } | undefined;
			const onStart: RunOptions['onStart'] = (it) => {
				started = it;
			};
			const ended = getOutcome(parameters, { ...options, onStart });
			return {
				cancel: async () => {
					started?.cancel();
					return await ended;
				},
			};
		},
		/** Calls the node as an agent's tool. */
		call: async (parameters: INodeParameters, calls: IDataObject[], options?: Setup[1]) =>
			await callTool(parameters, calls, { credentials: getCredentials(), ...options }),
	};
}

/** The scripts and titles of the recorded requests that are too long to be in a log by chance. */
function listSentTexts({ requests }: Service): string[] {
	const bodies = requests.map(({ body }) => body as IDataObject | undefined);
	const texts = bodies.flatMap((body) => [body?.script, body?.videoTitle]);
	return texts.filter((text) => typeof text === 'string').filter(({ length }) => length >= 8);
}
