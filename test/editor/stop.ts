const steps: (() => void | Promise<void>)[] = [];

/** Notes what is to be done at the end of the suite; what was noted last is done first. */
export function whenDone(step: () => void | Promise<void>): void {
	steps.unshift(step);
}

/** Stops what the suite started. */
export default async function stop(): Promise<void> {
	for (const step of steps.splice(0)) await step();
}
