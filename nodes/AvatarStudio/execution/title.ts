/** @returns the first words of a script in one line, or the beginning of a long word */
export function toTitle(script: string): string {
	const line = script.trim().replace(/\s+/g, ' ');
	const [title = ''] = /^.{1,60}(?!\S)/u.exec(line) ?? /^.{1,60}/u.exec(line) ?? [];
	return title === line ? title : `${title}…`;
}
