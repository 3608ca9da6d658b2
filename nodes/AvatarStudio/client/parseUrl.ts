/**
 * Parses a URL with the constructor, because `URL.canParse` returns false for some valid URLs on Node
 * 20 once V8 has optimized the call (findings/can-parse-forgets).
 *
 * @param base what a relative URL is relative to
 * @returns undefined if the text is no URL
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/**
 * A text with two URLs is none, because nobody knows which is meant. The length of a host is limited
 * because the time to encode one grows with the square of its length.
 */
const ONE_URL = /^https?:\/\/[^\s/\\?#]{1,500}([/\\?#](?!.*\shttps?:)\P{Cc}*)?$/iu;

/** @returns the `http` or `https` URL that a text is; undefined if it is none */
export function parseHttpUrl(text: string): URL | undefined {
	return ONE_URL.test(text) ? parseUrl(text) : undefined;
}
