import { createHash } from 'node:crypto';

/** A UUID (laid out as version 5) that is always the same for a name. */
export function createUuid(name: string): string {
	const bytes = createHash('sha1').update(name).digest().subarray(0, 16);
	bytes[6] = (bytes[6]! & 0x0f) | 0x50;
	bytes[8] = (bytes[8]! & 0x3f) | 0x80;
	return bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}
