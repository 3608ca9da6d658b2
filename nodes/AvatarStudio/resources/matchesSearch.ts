/** @returns whether each word of `search` starts a word of `text`: "male" does not match "female" */
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

/** @returns the values that are text and not empty */
export function nonEmptyStrings(...values: unknown[]): string[] {
	return values.flat().filter((value) => typeof value === 'string' && value !== '') as string[];
}
