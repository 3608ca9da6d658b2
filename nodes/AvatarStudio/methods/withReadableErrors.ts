import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { formatErrorText, toNodeError } from '../errors/nodeError';
import { toRequestError } from '../errors/requestError';

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
		const error = toRequestError(thrown);
		// The editor adds the status by itself, and shows the message alone.
		const message = formatErrorText(error.with({ status: undefined }));
		throw toNodeError(context.getNode(), error.with({ hint: '' }), message);
	});
}
