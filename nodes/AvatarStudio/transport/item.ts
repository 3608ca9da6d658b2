import type { IDataObject, IExecutePaginationFunctions, IPollFunctions } from 'n8n-workflow';

import type { Answer } from './answer';
import { exchange, type Call } from './exchange';
import type { Gate } from './gate';

/** One input item on its way through an operation, or one new record of the trigger's. */
export interface Item {
	context: IExecutePaginationFunctions | IPollFunctions;
	gate: Gate;
	/** The checked values of the fields that are sent. */
	values: IDataObject;
	/** The operation's own request, filled in. */
	call: Call;
}

/**
 * Sends the request of an item, or a variation of it.
 *
 * @param read takes what is wanted from the answer: see `exchange`
 */
export async function request<T>(
	{ context, gate, call }: Item,
	read: (answer: Answer) => Promise<T>,
	changes: Partial<Call> = {},
): Promise<T> {
	return await exchange(context, gate, { ...call, ...changes }, read);
}
