const MAX_LISTED_VALUES = 5;
/** How much of a value a message shows, in characters. */
const MAX_SHOWN_LENGTH = 100;

/** Lists up to five values, and how many more there are, for messages. */
export function listFirst<T>(values: T[], format: (value: T) => string): string {
	const listed = values.slice(0, MAX_LISTED_VALUES).map((value) => format(value));
	const more = values.length - listed.length;
	return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

/** Quotes a value in a message, the beginning of a long one. */
export function quote(text: string): string {
	return `"${shorten(text)}"`;
}

/** Shortens a long value, without characters that are invisible, but with those that join letters. */
export function shorten(text: string, maxLength = MAX_SHOWN_LENGTH): string {
	const start = text
		.slice(0, maxLength)
		.replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
		.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
	return text.length > maxLength ? `${start.replace(/[\ud800-\udbff]$/, '')}…` : start;
}

/**
 * Removes full stops and blanks at the end. The look-behind keeps the expression from starting again at
 * each character of a long run of them.
 */
export function removeFullStop(text: string): string {
	return text.replace(/(?<![.\s])[.\s]+$/, '');
}
