const steps: (() => void | Promise<void>)[] = [];

/** Registers a step for the end of the suite; the last one registered runs first. */
export function whenDone(step: () => void | Promise<void>): void {
	steps.unshift(step);
}

export default async function stop(): Promise<void> {
	for (const step of steps.splice(0)) await step();
}
