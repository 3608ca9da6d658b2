/**
 * Parses a URL, relative to `base` if there is one.
 *
 * Never `URL.canParse`: on Node 20 it answers false for a valid URL with letters such as `ü` once
 * V8 has optimized the call, that is after some 4,000 calls in a process.
 *
 * @returns undefined if it is not a URL
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
