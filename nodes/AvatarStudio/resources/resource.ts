import type { INodePropertyOptions } from 'n8n-workflow';

import type { Operation } from './operation';

/** One resource with its operations, in the order the editor lists them. */
export interface Resource {
	/** Its value is what saved workflows hold, and never changes. */
	option: INodePropertyOptions;
	operations: Operation[];
	/** Value of the operation that is selected when the user picks the resource. */
	defaultOperation: string;
}
