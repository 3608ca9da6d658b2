import { hash } from 'node:crypto';

/** A UUID (laid out as version 5) that is always the same for a name. */
export function createUuid(name: string): string {
	const hex = hash('sha1', name);
	const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		`5${hex.slice(13, 16)}`,
		variant + hex.slice(17, 20),
		hex.slice(20, 32),
	].join('-');
}
