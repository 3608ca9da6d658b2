import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { Failure } from '../transport/failure';
import { failureText, nodeError } from '../transport/nodeError';

/**
 * Runs what a picker asks of the service; a person reads a failure of it below the list.
 *
 * @throws NodeApiError in words for a person
 */
export async function picked<T>(context: ILoadOptionsFunctions, ask: () => Promise<T>): Promise<T> {
	return await ask().catch((error: unknown) => {
		if (!(error instanceof Failure)) throw error;
		// The list puts status and description around the message by itself.
		const brief = error.with({ status: undefined, answer: undefined });
		throw nodeError(context.getNode(), error.with({ answer: undefined }), failureText(brief));
	});
}

/** @returns whether each word of `search` begins a word of `text`: "male" does not find "female" */
export function found(text: string, search: string): boolean {
	const words = wordsOf(text);
	return wordsOf(search).every((wanted) => words.some((word) => word.startsWith(wanted)));
}

function wordsOf(text: string): string[] {
	return text
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
}

/** @returns those of the values that say something, as text */
export function texts(...values: unknown[]): string[] {
	return values.flat().filter((value) => typeof value === 'string' && value !== '') as string[];
}
