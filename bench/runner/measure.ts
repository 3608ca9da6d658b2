const SAMPLE_INTERVAL_MS = 10;

/** What a piece of work took of this process: all its threads, garbage collection included. */
export interface Measurement {
	cpuMs: number;
	wallMs: number;
	/** By how much the resident memory grew at its peak. */
	memoryMb: number;
}

/**
 * Does the work from a clean heap and measures it.
 *
 * @param settle awaits background work, before and after: CPU time then covers all that was caused
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
