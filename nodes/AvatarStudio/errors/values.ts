const MAX_LISTED_VALUES = 5;
const MAX_SHOWN_LENGTH = 100;

/** Lists up to five values, and how many more there are, for messages. */
export function listFirst<T>(values: T[], format: (value: T, index: number) => string): string {
	const rest =
		values.length > MAX_LISTED_VALUES ? [`and ${values.length - MAX_LISTED_VALUES} more`] : [];
	return [...values.slice(0, MAX_LISTED_VALUES).map(format), ...rest].join('; ');
}

/** Quotes a value in a message, the beginning of a long one. */
export function quote(text: string): string {
	return `"${shorten(text)}"`;
}

/** All but those that join an emoji or the letters of some scripts. */
const INVISIBLE =
	/(?!(?<=[^\0-\x7f])(?:\u200c|\u200d|\ufe0e|\ufe0f))[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/** Shortens a long value that is shown, without characters that are invisible or change others. */
export function shorten(text: string): string {
	const start = text
		.slice(0, MAX_SHOWN_LENGTH)
		.replace(INVISIBLE, '')
		.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
	if (text.length <= MAX_SHOWN_LENGTH) return start;
	return `${start.replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Removes full stops at the end. Without the lookbehind, the time would grow quadratically. */
export function removeFullStop(text: string): string {
	return text.replace(/(?<![.\s])[.\s]+$/, '');
}
