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
