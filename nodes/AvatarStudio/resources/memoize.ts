/** Computes something of a record, or of a list, once, however many texts are compared with it. */
export function memoize<Source extends object, T>(compute: (source: Source) => T) {
	const results = new WeakMap<Source, T>();
	return (source: Source): T => {
		if (!results.has(source)) results.set(source, compute(source));
		return results.get(source)!;
	};
}

const MAX_TEXTS = 1_000;

/** Computes something of a text once, however many records are compared with it. */
export function memoizeText<T extends object>(compute: (text: string) => T) {
	const results = new Map<string, T>();
	return (text: string): T => {
		const known = results.get(text);
		if (known) return known;
		const result = compute(text);
		if (results.size >= MAX_TEXTS) results.clear();
		results.set(text, result);
		return result;
	};
}
