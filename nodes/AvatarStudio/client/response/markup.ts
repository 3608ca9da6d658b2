const ENTITIES: Record<string, string> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' };

/** @returns the title of a web page, or else what a page, XML or SOAP says outside of its tags */
export function readMarkup(text: string): string {
	const title = /<title[^<>]*>([^<]*)</i.exec(text)?.[1]?.trim() ?? '';
	const content = text
		// The text in a CDATA section has no markup of its own.
		.replace(/<!\[CDATA\[|\]\]>/g, ' ')
		.replace(/<(script|style)\b[^<]*/gi, ' ')
		.replace(/<[^<>]*>/g, ' ');
	const words = title === '' ? content.trim() : title;
	return words.replace(/&(amp|apos|gt|lt|quot);/g, (_entity, name: string) => ENTITIES[name]!);
}
