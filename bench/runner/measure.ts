const SAMPLE_INTERVAL_MS = 10;

/** What a piece of work cost this process: all its threads, including garbage collection. */
export interface Measurement {
	cpuMs: number;
	wallMs: number;
	/** Growth of the resident memory at its peak. */
	memoryMb: number;
}

/**
 * Measures the work, starting with a clean heap.
 *
 * @param settle awaits background work before and after, so that CPU time covers it
 */
export async function measure<T>(
	work: () => Promise<T>,
	settle: () => Promise<void> = async () => await Promise.resolve(),
): Promise<Measurement & { result: T }> {
	await settle();
	globalThis.gc?.();
	const rssBefore = process.memoryUsage.rss();
	let peakRss = rssBefore;
	const sample = () => (peakRss = Math.max(peakRss, process.memoryUsage.rss()));
	const sampling = setInterval(sample, SAMPLE_INTERVAL_MS);
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();
	try {
		const result = await work();
		const wallMs = performance.now() - startedAt;
		await settle();
		const { user, system } = process.cpuUsage(cpuBefore);
		sample();
		return { result, wallMs, cpuMs: (user + system) / 1000, memoryMb: (peakRss - rssBefore) / 1e6 };
	} finally {
		clearInterval(sampling);
	}
}
