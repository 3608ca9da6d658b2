/**
 * @returns the URL, relative to `base` if there is one; undefined if it is none. `URL.canParse`
 *   answers false for some valid URLs on Node 20, once V8 has optimized the call
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** One, since neither of two can be meant. Encoding a host takes the square of its length. */
const ONE_URL = /^https?:\/\/[^\s/\\?#]{1,500}([/\\?#](?!.*\shttps?:)\P{Cc}*)?$/iu;

/** @returns the URL of a file or a page; undefined if the text is none */
export function parseHttpUrl(text: string): URL | undefined {
	return ONE_URL.test(text) ? parseUrl(text) : undefined;
}

/** @returns whether a value of a response is a URL that can be requested */
export function isHttpUrl(value: unknown): value is string {
	return typeof value === 'string' && !/\s/.test(value) && parseHttpUrl(value) !== undefined;
}
