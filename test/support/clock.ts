/** Time as the node and n8n see it, in the hands of a test; requests go on in real time. */
export interface Clock {
	/** From now on time passes so many times as fast, until the test ends. */
	run(speed: number): void;
	/** Lets so many milliseconds pass at once. */
	pass(ms: number): Promise<void>;
	/** How many waits are under way. */
	countTimers(): number;
}

const STEP_MS = 2;
/** A machine that stands still for a moment must not make a request time out. */
const LONGEST_STEP_MS = 6;

/** Stops the clock for every test of the block it is called in. */
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

/** `process.hrtime` is not in the hands of a test. */
function realNow(): number {
	return Number(process.hrtime.bigint()) / 1e6;
}
