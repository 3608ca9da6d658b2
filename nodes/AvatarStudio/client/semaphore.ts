/** Limits how much is done at the same time; what waits goes on in its order. */
export class Semaphore {
	private readonly waiting: (() => void)[] = [];

	/** @param free how many more may start */
	constructor(private free: number) {}

	async run<T>(act: () => Promise<T>): Promise<T> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		try {
			return await act();
		} finally {
			const startNext = this.waiting.shift() ?? (() => this.free++);
			startNext();
		}
	}
}
