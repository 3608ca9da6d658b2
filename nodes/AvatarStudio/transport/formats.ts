/** What a text parameter must look like, beyond being text. */
export interface Format {
	pattern: RegExp;
	/** Completes "Asset must be …". */
	expected: string;
	/** What to enter instead. */
	hint: string;
	/** Converts the text to what is sent, if that differs. */
	normalize?: (text: string) => string;
}

/** IDs of assets and avatars are UUIDs (`service/openapi.yaml`). */
export const UUID: Format = {
	pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
	expected: 'an ID of the service',
	hint: 'Enter an ID like 123e4567-e89b-12d3-a456-426614174000.',
};

export const HTTP_URL: Format = {
	pattern: /^https?:\/\/[^\s/?#]+([/?#]\S*)?$/i,
	expected: 'a URL',
	hint: 'Enter a URL that starts with https:// or http://.',
	// Users paste what the browser shows; on the wire a URL is ASCII only.
	normalize: (text) => (/^[!-~]+$/.test(text) ? text : new URL(text).href),
};
