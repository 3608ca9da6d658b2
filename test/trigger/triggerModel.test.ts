import * as fc from 'fast-check';

import { forgetRateLimits } from '../../nodes/AvatarStudio/client/limiter/rateLimiters';
import { startEngine, warnings } from '../support/engine/engine';
import { createTriggerWorkflow } from '../support/engine/triggerWorkflow';
import { answerInMemory } from '../support/inMemoryHost';
import { getCases, SEED } from '../support/randomCases';

import { CALM, triggerModels, TriggerWorld, type TriggerModel } from './triggerModel';

const CASES = getCases(40);
/** How far time goes on at each turn of the event loop, in milliseconds. */
const STEP_MS = 100;
/** Turns without a request after which only a timer can go on. */
const IDLE_TURNS = 10;

beforeAll(async () => await startEngine('default'));
beforeEach(() => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => jest.useRealTimers());

let turnsWithoutRequest = 0;

/** Lets time pass until it is done. */
async function passTime<T>(work: Promise<T>): Promise<T> {
	let isDone = false;
	const done = work.finally(() => (isDone = true));
	done.catch(() => undefined);
	while (!isDone) {
		await new Promise((resolve) => setImmediate(resolve));
		if (++turnsWithoutRequest > IDLE_TURNS) jest.advanceTimersToNextTimer();
		else jest.advanceTimersByTime(STEP_MS);
	}
	return await done;
}

/** One at which the trigger can tell the two keys apart: of 256 pairs, it takes one for the same. */
const BASE_URL = 'https://service.example';

async function watch(model: TriggerModel): Promise<void> {
	const world = new TriggerWorld(model);
	const stop = answerInMemory((request) => {
		turnsWithoutRequest = 0;
		return world.respond(request);
	});
	try {
		const credentials = { baseUrl: BASE_URL, apiKey: '' };
		const workflow = await createTriggerWorkflow(world.parameters, credentials);
		await world.run(workflow, { ...CALM, poll: 'activate' }, warnings);
		for (const step of model.steps) await world.run(workflow, step, warnings);
		await world.settle(workflow, warnings);
	} finally {
		stop();
		forgetRateLimits();
		warnings.length = 0;
	}
}

describe('whatever happens: each record that appears is emitted once, or n8n’s log speaks of it', () => {
	it(`in ${CASES} random cases`, async () => {
		const property = fc.asyncProperty(triggerModels, async (model) => await passTime(watch(model)));
		await expect(
			fc.assert(property, { numRuns: CASES, seed: SEED, includeErrorInReport: true }),
		).resolves.toBeUndefined();
	}, 3_600_000);
});
