import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { formatErrorMessage, toNodeError } from '../transport/errors/nodeError';
import { RequestError } from '../transport/errors/requestError';

/**
 * Runs what a picker asks of the service; a person reads a failure of it below the list.
 *
 * @throws NodeApiError in words for a person
 */
export async function withReadableErrors<T>(
	context: ILoadOptionsFunctions,
	ask: () => Promise<T>,
): Promise<T> {
	return await ask().catch((error: unknown) => {
		if (!(error instanceof RequestError)) throw error;
		// The list puts status and description around the message by itself.
		const brief = error.with({ status: undefined, responseBody: undefined });
		throw toNodeError(
			context.getNode(),
			error.with({ responseBody: undefined }),
			formatErrorMessage(brief),
		);
	});
}

/** @returns whether each word of `search` begins a word of `text`: "male" does not find "female" */
export function matchesSearch(text: string, search: string): boolean {
	const words = splitWords(text);
	return splitWords(search).every((wanted) => words.some((word) => word.startsWith(wanted)));
}

function splitWords(text: string): string[] {
	return text
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
}

/** @returns those of the values that say something, as text */
export function nonEmptyStrings(...values: unknown[]): string[] {
	return values.flat().filter((value) => typeof value === 'string' && value !== '') as string[];
}
