/** However long a step really takes: how much time passes must not depend on the machine. */
const STEP_MS = 2;
/** Turns of the event loop without anything in flight, after which only a timer can go on. */
const IDLE_TURNS = 5;
const IN_FLIGHT = /^(TCPSocket|TCPConnect|TLS|GetAddrInfoReq|FSReq|Write|Shutdown)/;

/**
 * Stops the clock in every test of the block that calls it: the time that the node and n8n see.
 * Requests still take place in real time.
 */
export function useClock() {
	let speed = 0;
	let driving: Promise<void> | undefined;
	beforeEach(() => {
		jest.useFakeTimers({
			doNotFake: [
				'nextTick',
				'queueMicrotask',
				'setImmediate',
				'clearImmediate',
				'setInterval',
				'clearInterval',
			],
		});
	});
	afterEach(async () => {
		speed = 0;
		await driving;
		driving = undefined;
		jest.useRealTimers();
	});

	async function drive(): Promise<void> {
		while (speed > 0) {
			if (jest.getTimerCount() > 0 && (await isIdle())) {
				await jest.advanceTimersToNextTimerAsync();
			} else {
				await realStep();
				await jest.advanceTimersByTimeAsync(STEP_MS * speed);
			}
		}
	}

	return {
		/**
		 * Makes time pass until the test ends: by this factor while a request or a file is in flight,
		 * and from timer to timer while the process has nothing else to wait for.
		 */
		run(wanted: number) {
			speed = wanted;
			driving ??= drive();
		},
		/** Advances the time by this many milliseconds at once. */
		pass: async (ms: number) => await jest.advanceTimersByTimeAsync(ms),
		/** The number of pending timers. */
		countTimers: () => jest.getTimerCount(),
	};
}

async function isIdle(): Promise<boolean> {
	for (let turn = 0; turn < IDLE_TURNS; turn++) {
		if (process.getActiveResourcesInfo().some((name) => IN_FLIGHT.test(name))) return false;
		await new Promise((resolve) => setImmediate(resolve));
	}
	return true;
}

async function realStep(): Promise<void> {
	await new Promise<void>((resolve) => {
		const step = setInterval(() => {
			clearInterval(step);
			resolve();
		}, STEP_MS);
	});
}
