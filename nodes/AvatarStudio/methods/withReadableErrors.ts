import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { formatErrorText, toNodeError } from '../errors/nodeError';
import { RequestError, toUserError } from '../errors/requestError';
import { UserError } from '../errors/userError';

/**
 * Runs the requests of a list search or of load options; the user reads an error below the list.
 *
 * @throws NodeApiError with a formatted message
 */
export async function withReadableErrors<T>(
	context: ILoadOptionsFunctions,
	sendRequests: () => Promise<T>,
): Promise<T> {
	return await sendRequests().catch((thrown: unknown) => {
		const error = toUserError(thrown);
		// The editor adds the status by itself, and shows the message alone.
		const shown = error instanceof RequestError ? error.with({ status: undefined }) : error;
		const silent = new UserError(error.summary, '', error.code);
		throw toNodeError(context.getNode(), silent, formatErrorText(shown));
	});
}
