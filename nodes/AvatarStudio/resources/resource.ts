import type { Operation } from './operation';

/** One resource with its operations, in the order the editor lists them. */
export interface Resource {
	name: string;
	/** What saved workflows hold. It never changes. */
	value: string;
	description: string;
	operations: Operation[];
	/** Value of the operation that is selected when the user picks the resource. */
	defaultOperation: string;
}
