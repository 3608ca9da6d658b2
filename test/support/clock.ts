import { performance } from 'node:perf_hooks';

/** After so many turns of the event loop without an event, only a timer can bring the next one. */
const IDLE_TURNS = 10;

/**
 * Stops the clock in every test of the block that calls it: the time that the node, n8n and the
 * hosts of a test see. Between two timers the requests take no time, however busy the machine is.
 *
 * @param options `runs` lets time pass from the beginning of each test on
 */
export function useClock({ runs = false } = {}) {
	let isRunning = false;
	/** Counts the beginnings and ends of `pass`. */
	let passes = 0;
	let driving: Promise<void> | undefined;
	beforeEach(() => {
		jest.useFakeTimers({
			doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
		});
		if (runs) run();
	});
	afterEach(async () => {
		isRunning = false;
		await driving;
		driving = undefined;
		jest.useRealTimers();
	});

	async function drive(): Promise<void> {
		while (isRunning) {
			const passesBefore = passes;
			await waitUntilIdle();
			// What a test begins after it let time pass may not have had its first event yet.
			const isIdle = passes === passesBefore;
			if (isRunning && isIdle) await jest.advanceTimersToNextTimerAsync();
		}
	}

	function run(): void {
		isRunning = true;
		driving ??= drive();
	}

	return {
		/** Makes time pass until the test ends: from timer to timer, whenever nothing else goes on. */
		run,
		/** Stops the time again for the rest of the test. */
		stop: () => {
			isRunning = false;
		},
		/** Advances the time by this many milliseconds at once. */
		pass: async (ms: number) => {
			passes++;
			await jest.advanceTimersByTimeAsync(ms);
			passes++;
		},
		countTimers: () => jest.getTimerCount(),
	};
}

async function waitUntilIdle(): Promise<void> {
	let events = countEvents();
	for (let turn = 0; turn < IDLE_TURNS; turn++) {
		await new Promise((resolve) => setImmediate(resolve));
		if (!isAnotherThreadBusy() && countEvents() === events) continue;
		events = countEvents();
		turn = 0;
	}
}

/**
 * Whether another thread has work, whose event may come later than within so many turns: for the file
 * system or a look-up of a name. Node names it FSReqPromise, CloseReq or GetAddrInfoReqWrap.
 */
function isAnotherThreadBusy(): boolean {
	return process.getActiveResourcesInfo().some((name) => name.includes('Req'));
}

/** Counts the events of the event loop so far: data, connections, the work of other threads. */
function countEvents(): number {
	return performance.nodeTiming.uvMetricsInfo.events;
}
