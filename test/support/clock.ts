/** Controls the time that the node and n8n see; requests still take place in real time. */
export interface Clock {
	/** Makes time pass faster by this factor until the test ends. */
	run(speed: number): void;
	/** Advances the time by this many milliseconds at once. */
	pass(ms: number): Promise<void>;
	/** The number of pending timers. */
	countTimers(): number;
}

const STEP_MS = 2;
/** Requests must not time out because the machine stalls for a moment. */
const LONGEST_STEP_MS = 6;

/** Stops the clock in every test of the block that calls it. */
export function useClock(): Clock {
	let speed = 0;
	let driving: Promise<void> | undefined;
	beforeEach(() => {
		jest.useFakeTimers({
			doNotFake: [
				'hrtime',
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
		let last = realNow();
		while (speed > 0) {
			await realStep();
			const now = realNow();
			await jest.advanceTimersByTimeAsync(Math.min(now - last, LONGEST_STEP_MS) * speed);
			last = now;
		}
	}

	return {
		run(wanted) {
			speed = wanted;
			driving ??= drive();
		},
		pass: async (ms) => await jest.advanceTimersByTimeAsync(ms),
		countTimers: () => jest.getTimerCount(),
	};
}

async function realStep(): Promise<void> {
	await new Promise<void>((resolve) => {
		const step = setInterval(() => {
			clearInterval(step);
			resolve();
		}, STEP_MS);
	});
}

/** The real time: tests do not control `process.hrtime`. */
function realNow(): number {
	return Number(process.hrtime.bigint()) / 1e6;
}
