const SAMPLE_MS = 10;

/** What a piece of work took of this process: all its threads, garbage collection included. */
export interface Taken {
	cpuMs: number;
	wallMs: number;
	peakRss: number;
	rssBefore: number;
	buffers: number;
}

/**
 * Does the work from a clean heap and measures it.
 *
 * @param settled what runs in the background is over: awaited before the work, and after it for
 *   the sake of the CPU time, which is then that of all the work caused
 */
export async function measured<T>(
	work: () => Promise<T>,
	settled: () => Promise<void> = async () => await Promise.resolve(),
): Promise<Taken & { result: T }> {
	await settled();
	globalThis.gc?.();
	const before = process.memoryUsage();
	let { rss: peakRss, arrayBuffers: peakBuffers } = before;
	const sample = () => {
		const { rss, arrayBuffers } = process.memoryUsage();
		peakRss = Math.max(peakRss, rss);
		peakBuffers = Math.max(peakBuffers, arrayBuffers);
	};
	const sampling = setInterval(sample, SAMPLE_MS);
	const cpuBefore = process.cpuUsage();
	const started = performance.now();
	try {
		const result = await work();
		const wallMs = performance.now() - started;
		await settled();
		const { user, system } = process.cpuUsage(cpuBefore);
		sample();
		return {
			result,
			wallMs,
			cpuMs: (user + system) / 1000,
			peakRss,
			rssBefore: before.rss,
			buffers: peakBuffers - before.arrayBuffers,
		};
	} finally {
		clearInterval(sampling);
	}
}
